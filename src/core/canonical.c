/* canonical.c: see canonical.h. */
#include "core/canonical.h"

#include "base/alloc.h"

static void add_process(const eo_trace *trace, uint32_t process, eo_text *out) {
  char name[EO_PROCESS_NAME] = "";
  trace->view.processes->name(trace->view.of, process, name, sizeof name);
  eo__text_add(out, "%s", name);
}

static void add_tag(const eo_trace *trace, const eo_sent *sent, eo_text *out) {
  const eo_relations *relations = trace->view.relations;
  if (!relations->tag) return;
  eo__text_add(out, " tag ");
  size_t length = out->length;
  if (relations->tag_name) relations->tag_name(trace->view.of, sent->number, out);
  if (out->length == length) eo__text_add(out, "%d", relations->tag(trace->view.of, sent->number));
}

void eo__canonical_event(const eo_trace *trace, uint32_t position, eo_text *out) {
  const eo_record *record = &trace->records.items[position];
  add_process(trace, record->process, out);
  eo__text_add(out, " %s", eo__op_name((eo_op_kind)record->op));
  if (eo__op_chooses(record->op)) eo__text_add(out, " value %u", record->value);
  if (record->op == EO_OP_RECEIVE && !record->mail) eo__text_add(out, " timeout");
  if (record->op == EO_OP_RECEIVE && record->mail) {
    const eo_sent *sent = &trace->mails.items[record->mail - 1].sent;
    add_tag(trace, sent, out);
    eo__text_add(out, " from ");
    add_process(trace, sent->from, out);
    eo__text_add(out, " #%u", sent->nth);
  }
  for (uint32_t i = 0; i < record->mails; i++) {
    const eo_sent *sent = &trace->mails.items[record->first_mail + i].sent;
    add_tag(trace, sent, out);
    eo__text_add(out, " to ");
    add_process(trace, sent->to, out);
    eo__text_add(out, " #%u", sent->nth);
  }
  for (size_t i = 0; record->op == EO_OP_SPAWN && i < trace->threads.count; i++)
    if (trace->threads.items[i].spawner == position) {
      eo__text_add(out, " to ");
      add_process(trace, (uint32_t)i, out);
    }
}

void eo__canonical_levels(const eo_trace *trace, uint32_t *levels) {
  for (uint32_t i = 0; i < trace->records.count; i++) {
    const eo_record *record = &trace->records.items[i];
    uint32_t before =
        record->previous != EO_NO_EVENT ? record->previous : trace->threads.items[record->process].spawner;
    uint32_t level = before != EO_NO_EVENT ? levels[before] : 0;
    if (record->source != EO_NO_EVENT && levels[record->source] > level) level = levels[record->source];
    levels[i] = level + eo_canonical_decides(record);
  }
}

/* Numbers of all processes in the order of their ids. */
static void sort_processes(const eo_trace *trace, uint32_t *sorted) {
  for (uint32_t i = 0; i < trace->threads.count; i++) {
    uint32_t at = i;
    while (at > 0 && trace->view.relations->before(trace->view.of, i, sorted[at - 1])) {
      sorted[at] = sorted[at - 1];
      at--;
    }
    sorted[at] = i;
  }
}

static void add_group(const eo_trace *trace, const uint32_t *levels, const uint32_t *sorted, uint32_t level,
                      bool decides, eo_text *out) {
  bool any = false;
  for (size_t i = 0; i < trace->threads.count; i++)
    for (uint32_t j = 0; j < trace->records.count; j++) {
      const eo_record *record = &trace->records.items[j];
      if (record->process != sorted[i] || levels[j] != level || eo_canonical_decides(record) != decides) continue;
      eo__text_add(out, "%s", any ? "; " : decides ? "r " : "s ");
      eo__canonical_event(trace, j, out);
      any = true;
    }
  if (any) eo__text_add(out, "\t");
}

bool eo__canonical_write(const eo_trace *trace, eo_text *out) {
  uint32_t *levels = eo__alloc((trace->records.count + 1) * sizeof *levels), deepest = 0;
  uint32_t *sorted = eo__alloc((trace->threads.count + 1) * sizeof *sorted);
  if (levels && sorted) {
    eo__canonical_levels(trace, levels);
    sort_processes(trace, sorted);
    for (size_t i = 0; i < trace->records.count; i++)
      if (levels[i] > deepest) deepest = levels[i];
    for (uint32_t level = 0; level <= deepest; level++) {
      add_group(trace, levels, sorted, level, true, out);
      add_group(trace, levels, sorted, level, false, out);
    }
  }
  bool good = levels && sorted && !out->failed;
  eo__free(levels);
  eo__free(sorted);
  return good;
}
