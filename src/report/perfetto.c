/* perfetto.c: an execution as trace events in JSON, which ui.perfetto.dev and chrome://tracing open: a thread for each
 * process, a slice of a millisecond for each step, a flow for each message that was received. Time is logical. */
#include <jansson.h>
#include <stdlib.h>

#include "report/export.h"
#include "report/lanes.h"
#include "report/shown.h"

enum { STEP = 1000, PROCESS = 1 }; /* microseconds; the one pid of the trace */

typedef struct trace_events {
  const eo_lanes *lanes;
  json_t *list;
  bool failed; /* no memory */
} trace_events;

static void set(trace_events *events, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) events->failed = true;
}

/* An event of this phase, which is in the list already; the caller adds to it. */
static json_t *add(trace_events *events, const char *phase, uint32_t lane, uint64_t time, json_t *name) {
  json_t *event = json_object();
  set(events, event, "ph", json_string(phase));
  set(events, event, "pid", json_integer(PROCESS));
  set(events, event, "tid", json_integer((json_int_t)lane + 1));
  set(events, event, "ts", json_integer((json_int_t)time));
  set(events, event, "name", name);
  if (json_array_append_new(events->list, event) != 0) events->failed = true;
  return event;
}

static void add_names(trace_events *events, const char *test) {
  json_t *name = json_object();
  set(events, name, "name", eo__shown_json(test));
  set(events, add(events, "M", 0, 0, json_string("process_name")), "args", name);
  for (uint32_t i = 0; i < events->lanes->lanes.count; i++) {
    const eo_lane *lane = &events->lanes->lanes.items[i];
    eo_text text;
    eo__text_init(&text);
    eo__text_add(&text, "%s%s%s", lane->process, lane->name[0] != '\0' ? " " : "", lane->name);
    json_t *thread = json_object(), *order = json_object();
    set(events, thread, "name", eo__shown_json(text.chars));
    set(events, add(events, "M", i, 0, json_string("thread_name")), "args", thread);
    set(events, order, "sort_index", json_integer((json_int_t)i));
    set(events, add(events, "M", i, 0, json_string("thread_sort_index")), "args", order);
    eo__text_release(&text);
  }
}

/* The arrow from where a message was sent to where it was taken; both ends lie inside their slices. */
static void add_flows(trace_events *events, const eo_line *line, uint32_t lane, uint64_t time) {
  for (size_t i = 0; i < line->mails.count; i++) {
    const eo_letter *letter = eo__lanes_letter(events->lanes, line->mails.items[i].number);
    if (letter == NULL || letter->sent == EO_NO_STEP || letter->taken == EO_NO_STEP) continue;
    json_t *event = add(events, line->sends ? "s" : "f", lane, time + STEP / 2, json_string("message"));
    set(events, event, "cat", json_string("message"));
    set(events, event, "id", json_integer(line->mails.items[i].number));
    if (!line->sends) set(events, event, "bp", json_string("e"));
  }
}

static void add_step(trace_events *events, uint32_t step) {
  const eo_line *line = &events->lanes->finding->lines.items[step];
  uint32_t lane = events->lanes->of.items[step];
  uint64_t time = (uint64_t)step * STEP;
  json_t *begin = add(events, "B", lane, time, eo__shown_json(line->text)), *args = json_object();
  set(events, args, "step", json_integer((json_int_t)step + 1));
  if (line->file[0] != '\0') {
    set(events, args, "file", eo__shown_json(line->file));
    set(events, args, "line", json_integer(line->line));
  }
  set(events, args, "preempts", json_boolean(line->preempts));
  set(events, begin, "cat", json_string("step"));
  set(events, begin, "args", args);
  add_flows(events, line, lane, time);
  add(events, "E", lane, time + STEP, eo__shown_json(line->text));
}

static void add_failure(trace_events *events) {
  const eo_failure *failure = &events->lanes->finding->failure;
  uint32_t lane = eo__lane_of(events->lanes, failure->process);
  eo_text text;
  if (failure->kind == EO_KIND_NONE) return;
  eo__text_init(&text);
  eo__text_add(&text, "%s: %s", eo__kind_name(failure->kind), failure->message);
  uint64_t end = (uint64_t)events->lanes->finding->lines.count * STEP;
  json_t *event = add(events, "i", lane != EO_NO_STEP ? lane : 0, end, eo__shown_json(text.chars));
  set(events, event, "s", json_string(lane != EO_NO_STEP ? "t" : "p"));
  eo__text_release(&text);
}

bool eo__export_perfetto(FILE *out, const char *test, const eo_finding *finding) {
  eo_lanes lanes;
  bool done = eo__lanes_init(&lanes, finding);
  json_t *all = json_object();
  trace_events events = {.lanes = &lanes, .list = json_array()};
  if (done && events.list != NULL) {
    add_names(&events, test);
    for (size_t i = 0; i < finding->lines.count; i++) add_step(&events, (uint32_t)i);
    add_failure(&events);
  }
  set(&events, all, "traceEvents", events.list);
  set(&events, all, "displayTimeUnit", json_string("ms"));
  char *chars = done && !events.failed ? json_dumps(all, JSON_COMPACT) : NULL;
  if (chars != NULL) fprintf(out, "%s\n", chars);
  done = chars != NULL;
  free(chars);
  json_decref(all);
  eo__lanes_release(&lanes);
  return done;
}
