/* resume.c: see resume.h. The first line holds the version and a checksum of the rest, which is JSON. A file is replaced
 * as a whole (base/file.h), so it cannot be locked itself: a file beside it is. */
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
#include "base/file.h"
#include "base/text.h"
#include "registry/shape.h"

#define FIRST_LINE "everyorder resume 3 "
enum { SUM = 32, HEAD = sizeof FIRST_LINE - 1 + SUM + 1 };
#define LARGEST_FILE ((size_t)4 << 30)

typedef struct saved_test {
  char *name;
  eo_job_state state;
} saved_test;

struct eo_resume {
  char *path;
  eo_text lock_path;
  int lock; /* -1: none */
  char build[130];
  char *shape; /* what the exploration depends on: registry/shape.h */
  EO_VEC(saved_test) tests;
};

void eo__resume_close(eo_resume *resume) {
  if (!resume) return;
  for (size_t i = 0; i < resume->tests.count; i++) {
    eo__free(resume->tests.items[i].name);
    eo__job_state_release(&resume->tests.items[i].state);
  }
  eo_vec_release(&resume->tests);
  if (resume->lock >= 0) {
    unlink(resume->lock_path.chars);
    close(resume->lock);
  }
  eo__text_release(&resume->lock_path);
  eo__free(resume->shape);
  eo__free(resume->path);
  eo__free(resume);
}

const char *eo__resume_path(const eo_resume *resume) { return resume->path; }

static void checksum(const char *bytes, size_t size, char out[SUM + 1]) {
  XXH128_hash_t hash = XXH3_128bits(bytes, size);
  snprintf(out, SUM + 1, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

static const char digits[] = "0123456789abcdef";

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

static json_t *hex_of(const eo_bytes *bytes) {
  char *text = eo__alloc(2 * bytes->count + 1);
  if (!text) return NULL;
  for (size_t i = 0; i < bytes->count; i++) {
    text[2 * i] = digits[bytes->items[i] >> 4];
    text[2 * i + 1] = digits[bytes->items[i] & 15];
  }
  json_t *made = json_stringn_nocheck(text, 2 * bytes->count);
  eo__free(text);
  return made;
}

static json_t *members_of(const eo_tally *t) {
  json_t *members = json_array();
  bool good = members;
  for (int i = 0; good && i < EO_MEMBERS_MOST; i++) {
    const eo_member_tally *m = &t->members[i];
    good = json_array_append_new(members, json_pack("[I,I,f,s]", (json_int_t)m->executions, (json_int_t)m->drawn,
                                                    m->hit, m->reached)) == 0;
  }
  if (good) return members;
  json_decref(members);
  return NULL;
}

static json_t *total_of(const eo_tally *t) {
  return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:I,s:s,s:i,s:s,s:I,s:[I,I,f,f],s:o}", "executions",
                   (json_int_t)t->executions, "pruned", (json_int_t)t->pruned, "transitions",
                   (json_int_t)t->transitions, "skipped", (json_int_t)t->skipped, "states", (json_int_t)t->states,
                   "failures", (json_int_t)t->failures, "max_depth", (json_int_t)t->max_depth, "doubts", (int)t->doubts,
                   "cut", (json_int_t)t->cut, "endless", t->endless, "coverage", (int)t->coverage, "covered",
                   t->covered, "aside", (json_int_t)t->aside, "estimate", (json_int_t)t->estimate.probes,
                   (json_int_t)t->estimate.steps, t->estimate.sum, t->estimate.squares, "members", members_of(t));
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
  eo__text_append(text, bytes, size);
  return ((eo_text *)text)->failed ? -1 : 0;
}

static bool write_text(const eo_resume *resume, eo_text *out) {
  json_t *tests = json_array();
  bool good = tests != NULL;
  for (size_t i = 0; good && i < resume->tests.count; i++)
    good = json_array_append_new(tests, test_of(&resume->tests.items[i])) == 0;
  json_t *all = json_pack("{s:s,s:s,s:o}", "build", resume->build, "options", resume->shape, "tests", tests);
  good = good && all && json_dump_callback(all, add_chars, out, JSON_COMPACT) == 0;
  json_decref(all);
  return good && !out->failed;
}

static int cannot_write(const char *path, int reason, eo_error *error) {
  return eo__error_set(error, EO_ESYSTEM, "cannot write %.256s, to resume from: %s", path, strerror(reason));
}

int eo__resume_save(eo_resume *resume, const char *test, eo_job_state *state, eo_error *error) {
  saved_test *found = NULL;
  for (size_t i = 0; i < resume->tests.count; i++)
    if (strcmp(resume->tests.items[i].name, test) == 0) found = &resume->tests.items[i];
  if (!found) {
    char *name = eo__strdup(test);
    if (!name || !eo_vec_push(&resume->tests, ((saved_test){.name = name}))) {
      eo__free(name);
      eo__job_state_release(state);
      return eo__error_nomem(error);
    }
    found = &eo_vec_last(&resume->tests);
  }
  eo__job_state_release(&found->state);
  found->state = *state;
  *state = (eo_job_state){0};
  eo_text text;
  char sum[SUM + 1];
  eo__text_init(&text);
  eo__text_add(&text, FIRST_LINE "%*s\n", SUM, "");
  int code = write_text(resume, &text) ? EO_OK : eo__error_nomem(error);
  if (code == EO_OK) {
    checksum(text.chars + HEAD, text.length - HEAD, sum);
    memcpy(text.chars + HEAD - 1 - SUM, sum, SUM);
    if (!eo__file_replace(resume->path, text.chars, text.length)) code = cannot_write(resume->path, errno, error);
  }
  eo__text_release(&text);
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

static bool read_members(const json_t *members, eo_tally *t) {
  for (size_t i = 0; i < json_array_size(members); i++) {
    json_int_t executions, drawn;
    const char *reached;
    double hit;
    if (i >= EO_MEMBERS_MOST ||
        json_unpack(json_array_get(members, i), "[I,I,F,s]", &executions, &drawn, &hit, &reached) != 0)
      return false;
    eo_member_tally *m = &t->members[i];
    if (executions < 0 || drawn < 0 || strlen(reached) >= sizeof m->reached) return false;
    *m = (eo_member_tally){(uint64_t)executions, (uint64_t)drawn, hit, ""};
    memcpy(m->reached, reached, strlen(reached) + 1);
  }
  return true;
}

static bool read_total(json_t *object, eo_tally *t) {
  json_int_t executions, pruned, transitions, skipped, failures, max_depth;
  json_int_t probes = 0, probe_steps = 0, states = 0, cut = 0, aside = 0;
  const char *endless = "";
  int doubts, coverage;
  const char *covered;
  double sum = 0, squares = 0;
  if (json_unpack(object, "{s:I,s:I,s:I,s:I,s?I,s:I,s:I,s:i,s?I,s?s,s:i,s:s,s?I,s?[I,I,F,F]}", "executions",
                  &executions, "pruned", &pruned, "transitions", &transitions, "skipped", &skipped, "states", &states,
                  "failures", &failures, "max_depth", &max_depth, "doubts", &doubts, "cut", &cut, "endless", &endless,
                  "coverage", &coverage, "covered", &covered, "aside", &aside, "estimate", &probes, &probe_steps, &sum,
                  &squares) != 0)
    return false;
  const json_int_t counts[] = {executions, pruned,      transitions, skipped, failures, max_depth,
                               probes,     probe_steps, states,      cut,     aside};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (counts[i] < 0) return false;
  if (max_depth > UINT32_MAX || aside > executions) return false;
  if (doubts & ~(EO_DOUBT_ALL | EO_ASSUMED_ALL)) return false; /* of a later version */
  if (coverage < EO_COVERS_ALL || coverage > EO_COVERS_SAMPLE || strlen(covered) >= sizeof t->covered) return false;
  if (strlen(endless) >= sizeof t->endless) return false;
  *t = (eo_tally){.executions = (uint64_t)executions,
                  .pruned = (uint64_t)pruned,
                  .transitions = (uint64_t)transitions,
                  .skipped = (uint64_t)skipped,
                  .states = (uint64_t)states,
                  .failures = (uint64_t)failures,
                  .aside = (uint64_t)aside,
                  .max_depth = (uint32_t)max_depth,
                  .doubts = (uint32_t)doubts,
                  .cut = (uint64_t)cut,
                  .estimate = {(uint64_t)probes, (uint64_t)probe_steps, sum, squares},
                  .coverage = (eo_coverage)coverage};
  memcpy(t->covered, covered, strlen(covered) + 1);
  memcpy(t->endless, endless, strlen(endless) + 1);
  return read_members(json_object_get(object, "members"), t);
}

static bool read_test(json_t *object, saved_test *test) {
  const char *name;
  int finished;
  json_t *total, *findings, *fragments;
  if (json_unpack(object, "{s:s,s:b,s:f,s:o,s:o,s:o}", "test", &name, "finished", &finished, "share",
                  &test->state.share, "total", &total, "findings", &findings, "fragments", &fragments) != 0)
    return false;
  if (!json_is_array(findings) || !json_is_array(fragments) || finished != (json_array_size(fragments) == 0))
    return false;
  test->name = eo__strdup(name);
  bool good = test->name && read_total(total, &test->state.total);
  for (size_t i = 0; good && i < json_array_size(findings); i++) {
    const char *text = json_string_value(json_array_get(findings, i));
    char *copy = text ? eo__strdup(text) : NULL;
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
  return eo__error_set(error, EO_EINPUT, "%.256s is damaged: it cannot be resumed from; remove it to start anew", path);
}

static int check_head(const eo_resume *resume, const eo_text *text, eo_error *error) {
  char sum[SUM + 1];
  size_t name = sizeof FIRST_LINE - 3; /* up to the version */
  if (text->length < name || memcmp(text->chars, FIRST_LINE, name) != 0)
    return eo__error_set(error, EO_EINPUT, "%.256s is not a file to resume from: remove it, or give another name",
                         resume->path);
  if (text->length < HEAD || memcmp(text->chars, FIRST_LINE, sizeof FIRST_LINE - 1) != 0)
    return eo__error_set(error, EO_EINPUT,
                         "%.256s was written by another version of Everyorder: remove it to start anew", resume->path);
  checksum(text->chars + HEAD, text->length - HEAD, sum);
  if (memcmp(text->chars + sizeof FIRST_LINE - 1, sum, SUM) != 0 || text->chars[HEAD - 1] != '\n')
    return damaged(resume->path, error);
  return EO_OK;
}

static int check_shape(const eo_resume *resume, const char *options, eo_error *error) {
  eo_text differs;
  eo__text_init(&differs);
  int code = EO_OK;
  if (eo__shape_differs(options, "file", resume->shape, "now", &differs))
    code = eo__error_set(
        error, EO_EINPUT,
        "%.128s belongs to a run with other options: %.300s; use the options of the file, or another file",
        resume->path, differs.chars);
  eo__text_release(&differs);
  return code;
}

static int parse(eo_resume *resume, const eo_text *text, eo_error *error) {
  const char *build, *options;
  json_t *tests;
  int code = check_head(resume, text, error);
  if (code != EO_OK) return code;
  json_t *all = json_loadb(text->chars + HEAD, text->length - HEAD, 0, NULL);
  if (json_unpack(all, "{s:s,s:s,s:o}", "build", &build, "options", &options, "tests", &tests) != 0 ||
      !json_is_array(tests))
    code = damaged(resume->path, error);
  else if (strcmp(build, resume->build) != 0)
    code = eo__error_set(error, EO_EINPUT, "%.256s belongs to another build of the program: remove it to start anew",
                         resume->path);
  else
    code = check_shape(resume, options, error);
  for (size_t i = 0; code == EO_OK && i < json_array_size(tests); i++) {
    if (!eo_vec_push(&resume->tests, (saved_test){0})) code = eo__error_nomem(error);
    if (code == EO_OK && !read_test(json_array_get(tests, i), &eo_vec_last(&resume->tests)))
      code = damaged(resume->path, error);
  }
  json_decref(all);
  return code;
}

static int read_file(eo_resume *resume, eo_error *error) {
  eo_text text;
  eo__text_init(&text);
  int code = EO_OK;
  if (eo__file_read(resume->path, LARGEST_FILE, &text))
    code = parse(resume, &text, error);
  else if (errno == ENOMEM)
    code = eo__error_nomem(error);
  else if (errno != ENOENT) /* then it starts anew */
    code = eo__error_set(error, EO_EINPUT, "cannot read %.256s: %s", resume->path, eo__file_trouble(errno));
  eo__text_release(&text);
  return code;
}

/* ---- Locking ------------------------------------------------------------------------------------------------------ */

/* One try. The lock goes with this process, however it ends; its workers do not have it. EO_EINPUT: another has it. */
static int lock_once(eo_resume *resume, bool *again, eo_error *error) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  struct stat ours, there;
  const char *path = resume->lock_path.chars;
  *again = false;
  int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0) return cannot_write(resume->path, errno, error);
  if (fstat(file, &ours) != 0 || !S_ISREG(ours.st_mode)) {
    close(file);
    return cannot_write(resume->path, ENXIO, error);
  }
  if (fcntl(file, F_SETLK, &whole) != 0) {
    close(file);
    return eo__error_set(error, EO_EINPUT,
                         "another run uses %.256s: give this one a file of its own, or wait for that one",
                         resume->path);
  }
  if (lstat(path, &there) == 0 && there.st_ino == ours.st_ino && there.st_dev == ours.st_dev) {
    resume->lock = file;
    return EO_OK;
  }
  close(file); /* who had it has removed it since it was opened here */
  *again = true;
  return EO_OK;
}

static int lock(eo_resume *resume, eo_error *error) {
  bool again = true;
  int code = EO_OK;
  eo__text_add(&resume->lock_path, "%s.lock", resume->path);
  if (resume->lock_path.failed) return eo__error_nomem(error);
  while (code == EO_OK && again) code = lock_once(resume, &again, error);
  return code;
}

/* ---- Opening ------------------------------------------------------------------------------------------------------ */

/* Of the program; of a model also its own. */
static int find_build(eo_resume *resume, const eo_request *request, eo_error *error) {
  int code = eo__program_build("/proc/self/exe", resume->build, error);
  size_t length = strlen(resume->build);
  if (code == EO_OK && request->build)
    snprintf(resume->build + length, sizeof resume->build - length, " %s", request->build);
  return code;
}

eo_resume *eo__resume_open(const char *path, const eo_request *request, const char *shape, eo_error *error) {
  eo_resume *resume = eo__alloc(sizeof *resume);
  if (!resume) {
    eo__error_nomem(error);
    return NULL;
  }
  resume->lock = -1;
  eo__text_init(&resume->lock_path);
  resume->shape = eo__strdup(shape);
  resume->path = eo__strdup(path);
  int code = resume->path && resume->shape ? EO_OK : eo__error_nomem(error);
  if (code == EO_OK) code = find_build(resume, request, error);
  if (code == EO_OK) code = lock(resume, error);
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
