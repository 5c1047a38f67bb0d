/* finding.c: kinds of findings, failures, and what a finding owns. finding_json.c reads and writes them. */
#include "core/finding.h"

#include <string.h>

#include "base/alloc.h"

static const char *const kind_names[EO_KIND_KINDS] = {
    [EO_KIND_NONE] = "none",
    [EO_KIND_ASSERTION] = "assertion",
    [EO_KIND_CRASH] = "crash",
    [EO_KIND_OVERFLOW] = "stack overflow",
    [EO_KIND_EXIT] = "exit",
    [EO_KIND_ABNORMAL] = "abnormal exit",
    [EO_KIND_DEADLOCK] = "deadlock",
    [EO_KIND_LOOP] = "endless loop",
    [EO_KIND_DEPTH] = "depth",
    [EO_KIND_SHARING] = "hidden sharing",
    [EO_KIND_NONDETERMINISM] = "nondeterminism",
    [EO_KIND_MISUSE] = "misuse",
    [EO_KIND_LEAK] = "leak",
    [EO_KIND_UNHANDLED] = "unhandled",
    [EO_KIND_LIVENESS] = "liveness",
    [EO_KIND_BOUNDS] = "out of bounds",
    [EO_KIND_SEQUENCE] = "forbidden sequence",
    [EO_KIND_OUTSIDE] = "outside",
    [EO_KIND_MPI] = "mpi",
};

const char *eo__kind_name(eo_kind kind) {
  EO_CHECK((unsigned)kind < EO_KIND_KINDS);
  return kind_names[kind];
}

eo_kind eo__kind_parse(const char *name) {
  for (int kind = EO_KIND_NONE + 1; kind < EO_KIND_KINDS; kind++) {
    if (strcmp(kind_names[kind], name) == 0) return (eo_kind)kind;
  }
  return EO_KIND_NONE;
}

/* Of a circle, what follows a colon says where it begins and how long it is: that changes when it is made shorter. */
static bool same_message(const eo_failure *a, const eo_failure *b) {
  if (a->kind != EO_KIND_LIVENESS) return strcmp(a->message, b->message) == 0;
  size_t length = strcspn(a->message, ":");
  return strcspn(b->message, ":") == length && memcmp(a->message, b->message, length) == 0;
}

bool eo__failure_same(const eo_failure *a, const eo_failure *b) {
  if (a->kind == EO_KIND_LOOP && b->kind == EO_KIND_LOOP && (a->fatal || b->fatal))
    return true; /* who came first is chance */
  if (a->kind != b->kind || !same_message(a, b) || strcmp(a->process, b->process) != 0) return false;
  return a->kind == EO_KIND_LOOP || (a->line == b->line && strcmp(a->file, b->file) == 0);
}

void eo__finding_init(eo_finding *finding) { memset(finding, 0, sizeof *finding); }

void eo__line_release(eo_line *line) {
  eo__free(line->process);
  eo__free(line->name);
  eo__free(line->op);
  eo__free(line->text);
  eo__free(line->file);
  eo__free(line->function);
  eo__free(line->printed);
  eo__free(line->caller);
  eo__free(line->other);
  for (size_t i = 0; i < line->mails.count; i++) {
    eo__free(line->mails.items[i].other);
    eo__free(line->mails.items[i].text);
  }
  eo_vec_release(&line->mails);
  for (size_t i = 0; i < line->variables.count; i++) {
    eo__free(line->variables.items[i].name);
    eo__free(line->variables.items[i].before);
    eo__free(line->variables.items[i].after);
  }
  eo_vec_release(&line->variables);
  eo_vec_release(&line->after);
}

static void release_strings(eo_strings *strings) {
  for (size_t i = 0; i < strings->count; i++) eo__free(strings->items[i]);
  eo_vec_release(strings);
}

void eo__finding_release(eo_finding *finding) {
  for (size_t i = 0; i < finding->lines.count; i++) eo__line_release(&finding->lines.items[i]);
  eo_vec_release(&finding->lines);
  release_strings(&finding->waiting);
  release_strings(&finding->values);
  release_strings(&finding->circle);
  release_strings(&finding->backtrace);
  eo__free(finding->ticket);
  eo__free(finding->schedule);
  eo__finding_init(finding);
}

size_t eo__mail_name(const char *text) {
  size_t length = strcspn(text, " ");
  if (length == 3 && strncmp(text, "tag ", 4) == 0) length += 1 + strcspn(text + 4, " ");
  return length;
}

static const eo_mailed *only_sent(const eo_line *line) {
  return line->sends && line->mails.count == 1 && line->mails.items[0].text ? &line->mails.items[0] : NULL;
}

void eo__finding_passes_if(const eo_finding *finding, eo_text *out) {
  const eo_line *first = &finding->lines.items[finding->later], *second = &finding->lines.items[finding->earlier];
  const eo_mailed *a = only_sent(first), *b = only_sent(second);
  if (a && b && strcmp(a->other, b->other) == 0) {
    eo__text_add(out, "%s's %.*s reaches %s before %s's %.*s", first->process, (int)eo__mail_name(a->text), a->text,
                 a->other, second->process, (int)eo__mail_name(b->text), b->text);
    return;
  }
  eo__text_add(out, "%s %s before %s %s", first->process, first->text, second->process, second->text);
}

void eo__finding_circle(const eo_finding *finding, eo_text *out) {
  size_t count = finding->circle.count;
  for (size_t i = 0; i < count; i++)
    eo__text_add(out, "%s%s waits for %s", i ? ", " : "", finding->circle.items[i],
                 finding->circle.items[(i + 1) % count]);
}

bool eo__finding_number(eo_finding *finding) {
  uint32_t most = 0, last = 0;
  for (size_t i = 0; i < finding->lines.count; i++)
    for (size_t j = 0; j < finding->lines.items[i].mails.count; j++)
      if (finding->lines.items[i].mails.items[j].number > most) most = finding->lines.items[i].mails.items[j].number;
  uint32_t *numbers = eo__alloc(((size_t)most + 1) * sizeof *numbers); /* by the old number; 0: none yet */
  if (!numbers) return false;
  for (size_t i = 0; i < finding->lines.count; i++)
    for (size_t j = 0; j < finding->lines.items[i].mails.count; j++) {
      uint32_t *number = &finding->lines.items[i].mails.items[j].number;
      if (!numbers[*number]) numbers[*number] = ++last;
      *number = numbers[*number];
    }
  eo__free(numbers);
  return true;
}
