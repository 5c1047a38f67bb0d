/* findings.c: a finding that has come from a worker: it is confirmed if nobody has done that yet, its ticket is written, and
 * the listener is told. Also the build of a program, by which a ticket knows it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/file.h"
#include "registry/explore.h"

/* ---- Builds ------------------------------------------------------------------------------------------------------- */

int eo__file_build(int file, const char *path, char *out, eo_error *error) {
  static char buffer[1 << 16];
  XXH3_state_t *state = XXH3_createState();
  if (!state) return eo__error_nomem(error);
  XXH3_128bits_reset(state);
  off_t at = 0;
  ssize_t got;
  while ((got = pread(file, buffer, sizeof buffer, at)) > 0 || (got < 0 && errno == EINTR)) {
    if (got < 0) continue;
    XXH3_128bits_update(state, buffer, (size_t)got);
    at += got;
  }
  int code = got < 0 ? eo__error_set(error, EO_ESYSTEM, "cannot read %s: %s", path, strerror(errno)) : EO_OK;
  XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  snprintf(out, 65, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  return code;
}

int eo__program_build(const char *path, char *out, eo_error *error) {
  int file = eo__file_open(path);
  if (file < 0) return eo__error_set(error, EO_ESYSTEM, "cannot read %s: %s", path, eo__file_trouble(errno));
  int code = eo__file_build(file, path, out, error);
  close(file);
  return code;
}

/* ---- Tickets ------------------------------------------------------------------------------------------------------ */

/* A name for a file in the folder, whatever the test is called: no slashes, not hidden, not too long for a file system. */
static void ticket_path(const eo_request *request, uint64_t number, const eo_finding *finding, char *path,
                        size_t size) {
  enum { LONGEST = 160 };
  const char *test = request->row ? request->row->test : request->test;
  size_t length = strlen(test);
  char row[24] = "", sum[24] = "";
  if (request->row && request->row->number) snprintf(row, sizeof row, "-row-%u", (unsigned)request->row->number);
  if (length > LONGEST) snprintf(sum, sizeof sum, "-%016llx", (unsigned long long)XXH3_64bits(test, length));
  snprintf(path, size, "%s/%.*s%s%s-%s-%llu.ticket", request->options.tickets, LONGEST, test, sum, row,
           eo__kind_name(finding->failure.kind), (unsigned long long)number);
  char *name = path + strlen(request->options.tickets) + 1;
  if (*name == '.') *name = '-';
  for (char *c = name; *c; c++)
    if (*c == ' ' || *c == '/' || (unsigned char)*c < ' ' || *c == 0x7f) *c = '-';
}

static int row_text(const eo_row *row, char *out, size_t size, eo_error *error) {
  eo_text text;
  eo__text_init(&text);
  if (row) eo__row_add(&text, row, '\n');
  int code = EO_OK;
  if (text.failed)
    code = eo__error_nomem(error);
  else if (snprintf(out, size, "%s", text.chars) >= (int)size)
    code = eo__error_set(error, EO_EINPUT, "the row of parameters is too long for a ticket: %zu bytes, at most %zu",
                         text.length, size - 1);
  eo__text_release(&text);
  return code;
}

static int write_ticket(const eo_request *request, uint64_t number, eo_finding *finding, eo_error *error) {
  const eo_options *options = &request->options;
  eo_ticket ticket;
  eo_text text;
  char path[4096];
  eo__ticket_init(&ticket);
  eo__text_init(&text);
  snprintf(ticket.program, sizeof ticket.program, "%s", request->program);
  snprintf(ticket.test, sizeof ticket.test, "%s", request->row ? request->row->test : request->test);
  int code = row_text(request->row, ticket.params, sizeof ticket.params, error);
  ticket.kind = finding->failure.kind;
  memcpy(ticket.message, finding->failure.message, sizeof ticket.message);
  if (finding->failure.line)
    snprintf(ticket.at, sizeof ticket.at, "%s:%d", finding->failure.file, finding->failure.line);
  ticket.depth = eo__depth(request);
  double watchdog = eo__watchdog(request);
  ticket.watchdog_ms = watchdog < UINT32_MAX / 1000.0 ? (uint32_t)(watchdog * 1000) : UINT32_MAX;
  ticket.timeouts_idle = options->timeouts_idle;
  ticket.leaks = options->leaks;
  ticket.abnormal_fails = options->abnormal_fails;
  if (options->delivery) eo__delivery_parse(options->delivery, &ticket.delivery);
  if (code == EO_OK) {
    if (request->build)
      snprintf(ticket.build, sizeof ticket.build, "%s", request->build);
    else
      code = eo__program_build("/proc/self/exe", ticket.build, error);
  }
  if (code == EO_OK) code = eo__schedule_parse(&ticket, finding->schedule, error);
  if (code == EO_OK) code = eo__ticket_write(&ticket, &text, error);
  if (code == EO_OK && mkdir(options->tickets, 0777) != 0 && errno != EEXIST)
    code = eo__error_set(error, EO_ESYSTEM, "cannot make the folder %s for tickets: %s", options->tickets,
                         strerror(errno));
  ticket_path(request, number, finding, path, sizeof path);
  if (code == EO_OK && !eo__file_replace(path, text.chars, text.length))
    code = eo__error_set(error, EO_ESYSTEM, "cannot write the ticket %s: %s", path, strerror(errno));
  if (code == EO_OK) finding->ticket = eo__strdup(path);
  eo__text_release(&text);
  eo__ticket_release(&ticket);
  return code;
}

/* ---- Findings ----------------------------------------------------------------------------------------------------- */

void eo__tell_finding(const eo_request *request, const eo_listener *listener, const eo_run *run, uint64_t number,
                      eo_finding *finding, eo_error *error) {
  eo_error local = {0};
  int code = request->options.tickets ? write_ticket(request, number, finding, &local) : EO_OK;
  if (code != EO_OK) *error = local;
  if (listener && listener->finding) listener->finding(listener->context, run, finding);
}

void eo__tell_finding_json(const eo_request *request, const eo_listener *listener, const eo_run *run, uint64_t number,
                           const char *json, uint64_t execution, eo_error *error) {
  eo_finding finding;
  eo__finding_init(&finding);
  if (eo__finding_from_json(&finding, json, error) == EO_OK) {
    if (finding.beside) eo__confirm(request, run, &finding);
    if (execution) finding.execution = execution;
    eo__tell_finding(request, listener, run, number, &finding, error);
  }
  eo__finding_release(&finding);
}
