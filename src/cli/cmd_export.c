/* cmd_export.c: the execution of a ticket in a format of another tool. */
#include <string.h>

#include "cli/cli.h"
#include "cli/cmd_show.h"
#include "cli/json_file.h"
#include "registry/registry.h"

static int no_format(const char *given, eo_error *error) {
  const char *names[16];
  size_t count = 0;
  eo_text list;
  eo__text_init(&list);
  for (const eo_export_entry *entry = eo__exports; entry->name != NULL; entry++) {
    eo__text_add(&list, "%s%s", count == 0 ? "" : entry[1].name != NULL ? ", " : " and ", entry->name);
    if (count < sizeof(names) / sizeof(names[0])) names[count++] = entry->name;
  }
  eo__error_set(error, EO_EINPUT, "there is no format %.64s; there are %s", given, list.chars);
  eo__text_release(&list);
  return eo__error_suggest(error, given, names, count);
}

static int write_export(const eo_export_entry *entry, const eo_args *args, const eo_ticket *ticket,
                        const eo_finding *finding, eo_error *error) {
  eo_json_file file;
  int code = eo__json_file_open(&file, "--output", args->file != NULL ? args->file : "-", error);
  if (code != EO_OK) return code;
  bool written = entry->write(file.stream, ticket->test, finding);
  if (!written) {
    eo__json_file_drop(&file);
    return eo__error_nomem(error);
  }
  return eo__json_file_finish(&file, error);
}

int eo__cmd_export(const eo_front *front, const eo_args *args) {
  eo_ticket ticket;
  eo_finding finding;
  eo_error error;
  eo__ticket_init(&ticket);
  eo__finding_init(&finding);
  const eo_export_entry *entry = eo__exports;
  while (entry->name != NULL && strcmp(entry->name, args->format) != 0) entry++;
  int code = entry->name != NULL ? EO_OK : no_format(args->format, &error);
  if (code == EO_OK) code = eo__ticket_describe(front, args, args->operand, &ticket, &finding, &error);
  if (code == EO_OK) code = write_export(entry, args, &ticket, &finding, &error);
  int status = code == EO_OK ? EO_STATUS_CLEAN : eo__fail(front, &error);
  if (code == EO_OK && !eo__ticket_reproduced(&ticket, &finding.failure)) {
    fprintf(stderr, "%s: this run did not fail as the ticket says: see `everyorder replay`\n", front->name);
    status = EO_STATUS_INCOMPLETE;
  }
  eo__finding_release(&finding);
  eo__ticket_release(&ticket);
  return status;
}
