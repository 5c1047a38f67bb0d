/* cmd_show.c: the execution of a ticket as a sequence diagram. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cmd_show.h"

enum { DEFAULT_WIDTH = 80 };

static size_t width_of(const eo_args *args) {
  uint64_t columns = 0;
  struct winsize size;
  const char *given = getenv("COLUMNS");
  if (args->width > 0) return (size_t)args->width;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    columns = size.ws_col;
  else if (given == NULL || !eo__text_number(given, EO_DIAGRAM_WIDEST, &columns) || columns == 0)
    columns = DEFAULT_WIDTH;
  if (columns < EO_DIAGRAM_NARROWEST) return EO_DIAGRAM_NARROWEST;
  return columns > EO_DIAGRAM_WIDEST ? EO_DIAGRAM_WIDEST : (size_t)columns;
}

/* Asked of the locale that the environment names, and of no other part of this program. */
static bool is_utf8(void) {
  locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
  if (locale == (locale_t)0) return false;
  bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
  freelocale(locale);
  return utf8;
}

eo_diagram_style eo__diagram_style(const eo_args *args) {
  return (eo_diagram_style){
      .width = width_of(args), .colour = eo__colour(args, stdout), .ascii = args->ascii || !is_utf8()};
}

int eo__ticket_describe(const eo_front *front, const eo_args *args, const char *path, eo_ticket *ticket,
                        eo_finding *finding, eo_error *error) {
  eo_test *test = NULL;
  int code = eo__ticket_load(ticket, path, error);
  if (code == EO_OK) code = eo__ticket_check(front, args, ticket, &test, error);
  if (code == EO_OK) code = eo__ticket_run(front, args, ticket, test, false, finding, error);
  return code;
}

static int show(const eo_front *front, const eo_args *args, const eo_ticket *ticket, const eo_finding *finding) {
  eo_error error;
  eo_diagram_style style = eo__diagram_style(args);
  if (!eo__report_diagram(stdout, &style, finding)) {
    eo__error_nomem(&error);
    return eo__fail(front, &error);
  }
  if (eo__ticket_reproduced(ticket, &finding->failure)) return EO_STATUS_FINDING;
  printf("\nThe ticket says %s, but this run %s: see `everyorder replay`.\n", eo__kind_name(ticket->kind),
         finding->failure.kind == EO_KIND_NONE ? "did not fail" : "failed in another way");
  return EO_STATUS_INCOMPLETE;
}

int eo__cmd_show(const eo_front *front, const eo_args *args) {
  eo_ticket ticket;
  eo_finding finding;
  eo_error error;
  eo__ticket_init(&ticket);
  eo__finding_init(&finding);
  int code = eo__ticket_describe(front, args, args->operand, &ticket, &finding, &error);
  int status = code == EO_OK ? show(front, args, &ticket, &finding) : eo__fail(front, &error);
  eo__finding_release(&finding);
  eo__ticket_release(&ticket);
  return status;
}
