/* resume.c: see resume.h. The first line holds the version and a checksum of the rest, which is JSON. A file is replaced
 * by renaming a new one, which is on the disk by then. */
#include "registry/resume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/text.h"
#include "registry/registry.h"

#define FIRST_LINE "everyorder resume 2 "
enum { SUM = 32, HEAD = sizeof FIRST_LINE - 1 + SUM + 1 };

typedef struct saved_test {
  char *name;
  eo_job_state state;
} saved_test;

struct eo_resume {
  char *path;
  char build[65];
  eo_text shape; /* the options that shape the exploration */
  EO_VEC(saved_test) tests;
};

void eo__resume_close(eo_resume *resume) {
  if (!resume) return;
  for (size_t i = 0; i < resume->tests.count; i++) {
    eo_free(resume->tests.items[i].name);
    eo_job_state_release(&resume->tests.items[i].state);
  }
  eo_vec_release(&resume->tests);
  eo_text_release(&resume->shape);
  eo_free(resume->path);
  eo_free(resume);
}

/* Whatever changes which executions there are, or what a fragment means; not when to stop, nor who does the work. */
static void add_shape(eo_text *out, const eo_request *request) {
  const eo_options *options = &request->options;
  const eo_strategy_entry *entry = eo__strategy_find(options->strategy);
  eo_text_add(out, "%s", entry->name);
  if (options->bounded) eo_text_add(out, " --bound %d", options->bound);
  if (strstr(entry->options, "--executions"))
    eo_text_add(out, " --executions %llu", (unsigned long long)options->executions);
  if (options->bug_depth) eo_text_add(out, " --bug-depth %d", options->bug_depth);
  if (options->length) eo_text_add(out, " --length %d", options->length);
  if (options->seed) eo_text_add(out, " --seed %llu", (unsigned long long)options->seed);
  eo_text_add(out, " --depth %u", options->depth ? options->depth : EO_DEFAULT_DEPTH);
  if (options->depth_fails) eo_text_add(out, " --depth-fails");
  if (options->timeouts_idle) eo_text_add(out, " --timeouts idle");
  if (options->leaks) eo_text_add(out, " --leaks");
  if (options->delivery) eo_text_add(out, " --delivery %s", options->delivery);
  if (options->reduction) eo_text_add(out, " --dpor %s", options->reduction);
  eo_text_add(out, " --watchdog %g", options->watchdog > 0 ? options->watchdog : EO_DEFAULT_WATCHDOG);
}

static void checksum(const char *bytes, size_t size, char out[SUM + 1]) {
  XXH128_hash_t hash = XXH3_128bits(bytes, size);
  snprintf(out, SUM + 1, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

static const char digits[] = "0123456789abcdef";

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

static json_t *hex_of(const eo_bytes *bytes) {
  char *text = eo_alloc(2 * bytes->count + 1);
  if (!text) return NULL;
  for (size_t i = 0; i < bytes->count; i++) {
    text[2 * i] = digits[bytes->items[i] >> 4];
    text[2 * i + 1] = digits[bytes->items[i] & 15];
  }
  json_t *made = json_stringn_nocheck(text, 2 * bytes->count);
  eo_free(text);
  return made;
}

static json_t *total_of(const eo_tally *t) {
  return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:I,s:s,s:i,s:s,s:[I,I,f,f]}", "executions",
                   (json_int_t)t->executions, "pruned", (json_int_t)t->pruned, "transitions",
                   (json_int_t)t->transitions, "skipped", (json_int_t)t->skipped, "states", (json_int_t)t->states,
                   "failures", (json_int_t)t->failures, "max_depth", (json_int_t)t->max_depth, "doubts", (int)t->doubts,
                   "cut", (json_int_t)t->cut, "endless", t->endless, "coverage", (int)t->coverage, "covered",
                   t->covered, "estimate", (json_int_t)t->estimate.probes, (json_int_t)t->estimate.steps,
                   t->estimate.sum, t->estimate.squares);
}

static json_t *test_of(const saved_test *test) {
  const eo_job_state *state = &test->state;
  json_t *fragments = json_array(), *findings = json_array();
  bool good = fragments && findings;
  for (size_t i = 0; good && i < state->fragments.count; i++)
    good = json_array_append_new(fragments, hex_of(&state->fragments.items[i])) == 0;
  for (size_t i = 0; good && i < state->findings.count; i++)
    good = json_array_append_new(findings, json_string_nocheck(state->findings.items[i])) == 0;
  json_t *object =
      json_pack("{s:s,s:b,s:f,s:o,s:o,s:o}", "test", test->name, "finished", state->fragments.count == 0, "share",
                state->share, "total", total_of(&state->total), "findings", findings, "fragments", fragments);
  if (good && object) return object;
  json_decref(object);
  return NULL;
}

static int add_chars(const char *bytes, size_t size, void *text) {
  eo_text_append(text, bytes, size);
  return ((eo_text *)text)->failed ? -1 : 0;
}

static bool write_text(const eo_resume *resume, eo_text *out) {
  json_t *tests = json_array();
  bool good = tests != NULL;
  for (size_t i = 0; good && i < resume->tests.count; i++)
    good = json_array_append_new(tests, test_of(&resume->tests.items[i])) == 0;
  json_t *all = json_pack("{s:s,s:s,s:o}", "build", resume->build, "options", resume->shape.chars, "tests", tests);
  good = good && all && json_dump_callback(all, add_chars, out, JSON_COMPACT) == 0;
  json_decref(all);
  return good && !out->failed;
}

static bool write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t wrote = write(file, bytes, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes += wrote;
    size -= (size_t)wrote;
  }
  return true;
}

static int replace_file(const char *path, const char *head, const eo_text *body, eo_error *error) {
  char scratch[4096];
  snprintf(scratch, sizeof scratch, "%s.new", path);
  int file = open(scratch, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = file >= 0 && write_all(file, head, strlen(head)) && write_all(file, body->chars, body->length) &&
              fsync(file) == 0;
  int reason = errno;
  if (file >= 0) close(file);
  if (good && rename(scratch, path) == 0) return EO_OK;
  return eo_error_set(error, EO_ESYSTEM, "cannot write %s, to resume from: %s", path, strerror(good ? errno : reason));
}

int eo__resume_save(eo_resume *resume, const char *test, eo_job_state *state, eo_error *error) {
  saved_test *found = NULL;
  for (size_t i = 0; i < resume->tests.count; i++)
    if (strcmp(resume->tests.items[i].name, test) == 0) found = &resume->tests.items[i];
  if (!found) {
    char *name = eo_strdup(test);
    if (!name || !eo_vec_push(&resume->tests, ((saved_test){.name = name}))) {
      eo_free(name);
      eo_job_state_release(state);
      return eo_error_nomem(error);
    }
    found = &eo_vec_last(&resume->tests);
  }
  eo_job_state_release(&found->state);
  found->state = *state;
  *state = (eo_job_state){0};
  eo_text body;
  char sum[SUM + 1], head[HEAD + 1];
  eo_text_init(&body);
  int code = write_text(resume, &body) ? EO_OK : eo_error_nomem(error);
  checksum(body.chars, body.length, sum);
  snprintf(head, sizeof head, FIRST_LINE "%s\n", sum);
  if (code == EO_OK) code = replace_file(resume->path, head, &body, error);
  eo_text_release(&body);
  return code;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

static bool read_hex(const char *text, eo_bytes *out) {
  size_t length = strlen(text);
  if (length % 2 || (length && !eo_vec_reserve(out, length / 2))) return false;
  for (size_t i = 0; i < length; i += 2) {
    const char *high = strchr(digits, text[i]), *low = strchr(digits, text[i + 1]);
    if (!high || !low) return false;
    out->items[out->count++] = (unsigned char)((high - digits) << 4 | (low - digits));
  }
  return true;
}

static bool read_total(json_t *object, eo_tally *t) {
  json_int_t executions, pruned, transitions, skipped, failures, max_depth;
  json_int_t probes = 0, probe_steps = 0, states = 0, cut = 0;
  const char *endless = "";
  int doubts, coverage;
  const char *covered;
  double sum = 0, squares = 0;
  if (json_unpack(object, "{s:I,s:I,s:I,s:I,s?I,s:I,s:I,s:i,s?I,s?s,s:i,s:s,s?[I,I,F,F]}", "executions", &executions,
                  "pruned", &pruned, "transitions", &transitions, "skipped", &skipped, "states", &states, "failures",
                  &failures, "max_depth", &max_depth, "doubts", &doubts, "cut", &cut, "endless", &endless, "coverage",
                  &coverage, "covered", &covered, "estimate", &probes, &probe_steps, &sum, &squares) != 0)
    return false;
  if (doubts & ~(EO_DOUBT_ALL | EO_ASSUMED_ALL)) return false; /* of a later version */
  if (coverage < EO_COVERS_ALL || coverage > EO_COVERS_SAMPLE || strlen(covered) >= sizeof t->covered) return false;
  if (strlen(endless) >= sizeof t->endless) return false;
  *t = (eo_tally){.executions = (uint64_t)executions,
                  .pruned = (uint64_t)pruned,
                  .transitions = (uint64_t)transitions,
                  .skipped = (uint64_t)skipped,
                  .states = (uint64_t)states,
                  .failures = (uint64_t)failures,
                  .max_depth = (uint32_t)max_depth,
                  .doubts = (uint32_t)doubts,
                  .cut = (uint64_t)cut,
                  .estimate = {(uint64_t)probes, (uint64_t)probe_steps, sum, squares},
                  .coverage = (eo_coverage)coverage};
  memcpy(t->covered, covered, strlen(covered) + 1);
  memcpy(t->endless, endless, strlen(endless) + 1);
  return true;
}

static bool read_test(json_t *object, saved_test *test) {
  const char *name;
  int finished;
  json_t *total, *findings, *fragments;
  if (json_unpack(object, "{s:s,s:b,s:f,s:o,s:o,s:o}", "test", &name, "finished", &finished, "share",
                  &test->state.share, "total", &total, "findings", &findings, "fragments", &fragments) != 0)
    return false;
  test->name = eo_strdup(name);
  bool good = test->name && read_total(total, &test->state.total);
  for (size_t i = 0; good && i < json_array_size(findings); i++) {
    const char *text = json_string_value(json_array_get(findings, i));
    char *copy = text ? eo_strdup(text) : NULL;
    good = copy && eo_vec_push(&test->state.findings, copy);
  }
  for (size_t i = 0; good && i < json_array_size(fragments); i++) {
    const char *text = json_string_value(json_array_get(fragments, i));
    good = text && eo_vec_push(&test->state.fragments, (eo_bytes){0}) &&
           read_hex(text, &eo_vec_last(&test->state.fragments));
  }
  return good;
}

static int damaged(const char *path, eo_error *error) {
  return eo_error_set(error, EO_EINPUT, "%.256s is damaged: it cannot be resumed from; remove it to start anew", path);
}

static int check_head(const eo_resume *resume, const eo_text *text, eo_error *error) {
  char sum[SUM + 1];
  size_t name = sizeof FIRST_LINE - 3; /* up to the version */
  if (text->length < name || memcmp(text->chars, FIRST_LINE, name) != 0)
    return eo_error_set(error, EO_EINPUT, "%.256s is not a file to resume from: remove it, or give another name",
                        resume->path);
  if (text->length < HEAD || memcmp(text->chars, FIRST_LINE, sizeof FIRST_LINE - 1) != 0)
    return eo_error_set(error, EO_EINPUT,
                        "%.256s was written by another version of Everyorder: remove it to start anew", resume->path);
  checksum(text->chars + HEAD, text->length - HEAD, sum);
  if (memcmp(text->chars + sizeof FIRST_LINE - 1, sum, SUM) != 0) return damaged(resume->path, error);
  return EO_OK;
}

static int parse(eo_resume *resume, const eo_text *text, eo_error *error) {
  const char *build, *options;
  json_t *tests;
  int code = check_head(resume, text, error);
  if (code != EO_OK) return code;
  json_t *all = json_loadb(text->chars + HEAD, text->length - HEAD, 0, NULL);
  if (json_unpack(all, "{s:s,s:s,s:o}", "build", &build, "options", &options, "tests", &tests) != 0)
    code = damaged(resume->path, error);
  else if (strcmp(build, resume->build) != 0)
    code = eo_error_set(error, EO_EINPUT, "%.256s is of another build of the program: remove it to start anew",
                        resume->path);
  else if (strcmp(options, resume->shape.chars) != 0)
    code = eo_error_set(error, EO_EINPUT, "%.128s is of an exploration with other options (%.100s instead of %.100s)",
                        resume->path, options, resume->shape.chars);
  for (size_t i = 0; code == EO_OK && i < json_array_size(tests); i++) {
    if (!eo_vec_push(&resume->tests, (saved_test){0})) code = eo_error_nomem(error);
    if (code == EO_OK && !read_test(json_array_get(tests, i), &eo_vec_last(&resume->tests)))
      code = damaged(resume->path, error);
  }
  json_decref(all);
  return code;
}

static int read_file(eo_resume *resume, eo_error *error) {
  char block[1 << 16];
  size_t got;
  FILE *file = fopen(resume->path, "re");
  if (!file && errno == ENOENT) return EO_OK; /* to start anew */
  if (!file) return eo_error_set(error, EO_EINPUT, "cannot read %.256s: %s", resume->path, strerror(errno));
  eo_text text;
  eo_text_init(&text);
  while ((got = fread(block, 1, sizeof block, file)) > 0) eo_text_append(&text, block, got);
  int code = ferror(file)  ? eo_error_set(error, EO_EINPUT, "cannot read %.256s: %s", resume->path, strerror(errno))
             : text.failed ? eo_error_nomem(error)
                           : parse(resume, &text, error);
  fclose(file);
  eo_text_release(&text);
  return code;
}

eo_resume *eo__resume_open(const char *path, const eo_request *request, eo_error *error) {
  eo_resume *resume = eo_alloc(sizeof *resume);
  if (!resume) {
    eo_error_nomem(error);
    return NULL;
  }
  eo_text_init(&resume->shape);
  add_shape(&resume->shape, request);
  resume->path = eo_strdup(path);
  int code = resume->path && !resume->shape.failed ? EO_OK : eo_error_nomem(error);
  if (code == EO_OK) code = eo__program_build("/proc/self/exe", resume->build, error);
  if (code == EO_OK) code = read_file(resume, error);
  if (code == EO_OK) return resume;
  eo__resume_close(resume);
  return NULL;
}

const eo_job_state *eo__resume_find(const eo_resume *resume, const char *test) {
  for (size_t i = 0; i < resume->tests.count; i++)
    if (strcmp(resume->tests.items[i].name, test) == 0) return &resume->tests.items[i].state;
  return NULL;
}
