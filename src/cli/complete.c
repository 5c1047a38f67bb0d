/* complete.c: `everyorder complete WORD...`, which the completion scripts of bash, zsh and fish ask (completion/). The words
 * are those of the command line behind the command's name; the last one is being typed, and may be empty. Each line of the
 * answer is a word that could stand there, and behind a blank what it is. A line `:files`, `:folders` or `:files .so` asks the
 * shell for names of files. What there is comes from the tables of commands, options and strategies, so that the scripts know
 * none of it. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "registry/registry.h"

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* One candidate, with the first line of what is said of it. */
static void offer(const char *typed, const char *prefix, const char *word, const char *about) {
  if (strncmp(typed, prefix, strlen(prefix)) != 0 || !begins_with(word, typed + strlen(prefix))) return;
  printf("%s%s %.*s\n", prefix, word, (int)strcspn(about, "\n"), about);
}

static void offer_commands(const eo_front *front, const char *typed) {
  eo_command_name command;
  for (size_t i = 0; eo__command_at(front, i, &command); i++) offer(typed, "", command.name, command.summary);
}

static void offer_options(eo_command command, const char *typed) {
  const eo_option *option;
  for (size_t i = 0; (option = eo__option_at(i)) != NULL; i++)
    if ((option->commands & command) != 0 && (option->flags & EO_OPTION_HIDDEN) == 0)
      offer(typed, "--", option->name, option->help);
}

/* What a value may be is told by the option's words, and by its placeholder. */
static int offer_values(const eo_front *front, const eo_option *option, const char *program, const char *typed) {
  for (const char *const *word = option->words; word != NULL && *word != NULL; word++) offer(typed, "", *word, "");
  if (option == EO_OPTION_OF(strategy))
    for (int id = 0; id < EO_STRATEGIES; id++) offer(typed, "", eo__strategies[id].name, eo__strategies[id].summary);
  if (option == EO_OPTION_OF(explorer)) puts(":files .so");
  if (strcmp(option->value, "FILE") == 0 || strcmp(option->value, "PATH") == 0 || strcmp(option->value, "SET") == 0)
    puts(":files");
  if (strcmp(option->value, "FOLDER") == 0) puts(":folders");
  if (option->kind != EO_OPTION_LIST || program == NULL || access(program, X_OK) != 0) return EO_STATUS_CLEAN;
  /* The program itself knows its tests: it prints their names, and where each is. */
  eo_args args;
  eo__args_init(&args);
  args.operand = program;
  int status = front->list(front, &args);
  eo__args_release(&args);
  return status;
}

static void offer_operands(const eo_front *front, const eo_command_name *command, const char *typed, bool first) {
  static const char *const actions[] = {"status", "pause", "resume", "cancel", "drop", NULL};
  if (command->id == EO_COMMAND_HELP) offer_commands(front, typed);
  if (command->id == EO_COMMAND_CLUSTER && first)
    for (size_t i = 0; actions[i] != NULL; i++) offer(typed, "", actions[i], "");
  if (command->id == EO_COMMAND_SERVE) puts(":folders");
  if ((command->id & (EO_COMMAND_HELP | EO_COMMAND_CLUSTER | EO_COMMAND_SERVE | EO_COMMAND_STRATEGIES)) == 0)
    puts(":files");
}

int eo__complete(const eo_front *front, int count, char **words) {
  const char *typed = count > 0 ? words[count - 1] : "";
  const char *before = count > 1 ? words[count - 2] : "";
  eo_command_name command = {0};
  if (count < 2) {
    offer_commands(front, typed);
    return EO_STATUS_CLEAN;
  }
  for (size_t i = 0; eo__command_at(front, i, &command); i++)
    if (strcmp(command.name, words[0]) == 0) break;
  if (command.name == NULL) return EO_STATUS_CLEAN;
  const eo_option *option;
  for (size_t i = 0; begins_with(before, "--") && (option = eo__option_at(i)) != NULL; i++)
    if (strcmp(option->name, before + 2) == 0 && (option->commands & command.id) != 0 && option->value != NULL)
      return offer_values(front, option, count > 3 ? words[1] : NULL, typed);
  if (typed[0] == '-')
    offer_options(command.id, typed);
  else if (strcmp(before, "-o") == 0)
    puts(":files");
  else
    offer_operands(front, &command, typed, count == 2);
  return EO_STATUS_CLEAN;
}
