/* sequences.c: see sequences.h. */
#include "cli/sequences.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "core/os_process.h"

enum { SHOWN = 5 }; /* sequences that are printed of each kind */

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static int load(eo_sr_tree *tree, const char *path, eo_error *error) {
  FILE *file = fopen(path, "re");
  EO_VEC(char) text = {0};
  int code = file ? EO_OK : eo__error_set(error, EO_EINPUT, "--against %.256s: %s", path, strerror(errno));
  for (size_t got = 1; code == EO_OK && got > 0; text.count += got) {
    if (!eo_vec_reserve(&text, 1 << 16)) code = eo__error_nomem(error);
    got = code == EO_OK ? fread(text.items + text.count, 1, 1 << 16, file) : 0;
  }
  if (code == EO_OK && ferror(file))
    code = eo__error_set(error, EO_EINPUT, "--against %.256s: it cannot be read: %s", path, strerror(errno));
  if (code == EO_OK) {
    eo_error why = {0};
    code = eo__sr_tree_read(tree, text.items, text.count, &why);
    if (code != EO_OK) eo__error_set(error, code, "--against %.256s: %s", path, why.text);
  }
  if (file) fclose(file);
  eo_vec_release(&text);
  return code;
}

int eo__sequences_open(eo_sequences *sequences, const eo_args *args, eo_error *error) {
  *sequences = (eo_sequences){.args = args};
  eo__sr_tree_init(&sequences->old);
  eo__sr_tree_init(&sequences->fresh);
  if (!args->save && !args->against && !args->never) return EO_OK;
  if (args->explore.no_tree && (args->save || args->against))
    return eo__error_set(error, EO_EINPUT, "--no-tree keeps no tree: there is nothing to %s",
                         args->save ? "save" : "compare with");
  int code = EO_OK;
  if (args->never && !(sequences->never = eo__pattern_open(args->never, error))) code = error->code;
  if (code == EO_OK && args->against) code = load(&sequences->old, args->against, error);
  if (code == EO_OK && args->save) {
    code = eo__json_file_open(&sequences->file, "--save", args->save, error);
    sequences->saving = code == EO_OK;
  }
  if (code == EO_OK && !(sequences->lines = tmpfile()))
    code = eo__error_set(error, EO_ESYSTEM, "a temporary file cannot be made: %s; is TMPDIR full?", strerror(errno));
  if (code != EO_OK) return code;
  eo__os_keep(fileno(sequences->lines)); /* workers write there */
  sequences->sink = (eo_sequence_sink){
      .file = fileno(sequences->lines), .all = args->save || args->against, .never = sequences->never};
  return EO_OK;
}

const eo_sequence_sink *eo__sequences_begin(eo_sequences *sequences) {
  if (!sequences->lines) return NULL;
  rewind(sequences->lines);
  if (ftruncate(fileno(sequences->lines), 0) != 0) sequences->stopped = true;
  return &sequences->sink;
}

/* ---- What is printed -------------------------------------------------------------------------------------------- */

/* One group, "r event; event", as a line. */
static void print_group(FILE *out, const char *group, size_t length) {
  fprintf(out, "    %.*s\n", (int)length - 2, group + 2);
}

static void print_groups(FILE *out, const char *groups) {
  for (size_t length; *groups; groups += length + (groups[length] == '\t')) {
    length = strcspn(groups, "\t");
    if (groups[0] == 'r') print_group(out, groups, length);
  }
}

typedef struct printing {
  FILE *out;
  const char *what, *test;
  uint64_t count;
} printing;

/* The decisions of a sequence of a tree, from the root on. */
static void print_path(FILE *out, const eo_sr_tree *tree, uint32_t node) {
  EO_VEC(uint32_t) path = {0};
  for (; tree->nodes.items[node].parent != EO_NO_NODE; node = tree->nodes.items[node].parent)
    if (!eo_vec_push(&path, node)) break;
  while (path.count) {
    const char *label = eo_sr_tree_label(tree, eo_vec_pop(&path));
    if (label[0] == 'r') print_group(out, label, strlen(label));
  }
  eo_vec_release(&path);
}

static void print_missing(void *context, const eo_sr_tree *tree, uint32_t end) {
  printing *p = context;
  if (p->count++ >= SHOWN) return;
  bool failed = strcmp(eo_sr_tree_label(tree, end), "end failed") == 0;
  fprintf(p->out, "%s: a sequence %s%s:\n", p->test, p->what, failed ? ", which fails" : "");
  print_path(p->out, tree, end);
}

static void print_more(const printing *p) {
  char digits[32];
  if (p->count > SHOWN)
    fprintf(p->out, "%s: and %s more that %s\n", p->test, eo__text_thousands(digits, p->count - SHOWN), p->what);
}

static int compare(eo_sequences *sequences, const eo_run *run, FILE *out, bool *found, eo_error *error) {
  const eo_sr_test *now = &eo_vec_last(&sequences->fresh.tests), *then = eo__sr_tree_find(&sequences->old, now->name);
  char numbers[4][32];
  if (!then) {
    fprintf(out, "%s: is not in %s: nothing to compare with\n", run->test, sequences->args->against);
    return EO_OK;
  }
  printing appeared = {out, "appeared", run->test, 0}, disappeared = {out, "disappeared", run->test, 0};
  bool good = eo__sr_tree_missing(&sequences->fresh, now, &sequences->old, then, print_missing, &appeared);
  if (good) print_more(&appeared);
  good = good && eo__sr_tree_missing(&sequences->old, then, &sequences->fresh, now, print_missing, &disappeared);
  if (!good) return eo__error_nomem(error);
  print_more(&disappeared);
  fprintf(out, "%s: %s sequences, %s before; %s appeared, %s disappeared\n", run->test,
          eo__text_thousands(numbers[0], now->sequences), eo__text_thousands(numbers[1], then->sequences),
          eo__text_thousands(numbers[2], appeared.count), eo__text_thousands(numbers[3], disappeared.count));
  if (strcmp(now->options, then->options) != 0)
    fprintf(out, "%s: the options were '%s' before, and are '%s'\n", run->test, then->options, now->options);
  if (!then->complete || !now->complete)
    fprintf(out, "%s: %s not complete: a sequence may be missing only because it was not run\n", run->test,
            then->complete ? "this run is" : "the old tree is");
  *found |= appeared.count || disappeared.count;
  return EO_OK;
}

/* ---- A test ----------------------------------------------------------------------------------------------------- */

static int take_line(eo_sequences *sequences, const eo_run *run, char *line, uint64_t *never, FILE *out,
                     eo_error *error) {
  line[strcspn(line, "\n")] = '\0';
  bool failed = line[0] && line[1] == 'F';
  if (line[0] == '!' && (*never)++ < SHOWN) {
    fprintf(out, "%s: a forbidden sequence%s:\n", run->test, failed ? ", which fails" : "");
    print_groups(out, line + 2);
  }
  if (!sequences->sink.all || !line[0] || !line[1]) return EO_OK;
  return eo__sr_tree_add(&sequences->fresh, line + 2, failed) ? EO_OK : eo__error_nomem(error);
}

/* The options as they are in the tree: what is defined makes another model. */
static bool begin_test(eo_sequences *sequences, const eo_run *run) {
  eo_text options;
  eo__text_init(&options);
  for (size_t i = 0; i < sequences->args->defines.count; i++)
    eo__text_add(&options, "-D%s ", sequences->args->defines.items[i]);
  eo__text_add(&options, "%s", run->options ? run->options : "");
  bool good = !options.failed && eo__sr_tree_begin(&sequences->fresh, run->test, options.chars);
  eo__text_release(&options);
  return good;
}

int eo__sequences_end(eo_sequences *sequences, const eo_run *run, FILE *out, bool *found, eo_error *error) {
  char *line = NULL, digits[32];
  size_t room = 0;
  uint64_t never = 0;
  if (!sequences->lines) return EO_OK;
  if (!begin_test(sequences, run)) return eo__error_nomem(error);
  eo_vec_last(&sequences->fresh.tests).complete = run->complete;
  rewind(sequences->lines);
  int code = EO_OK;
  while (code == EO_OK && getline(&line, &room, sequences->lines) > 0)
    code = take_line(sequences, run, line, &never, out, error);
  free(line);
  if (code == EO_OK && never > SHOWN)
    fprintf(out, "%s: and %s more forbidden sequences\n", run->test, eo__text_thousands(digits, never - SHOWN));
  if (code == EO_OK && sequences->never && !never)
    fprintf(out, "%s: no sequence %s'%s'\n", run->test, run->complete ? "is ever " : "so far is ",
            sequences->args->never);
  if (code == EO_OK && sequences->args->against) code = compare(sequences, run, out, found, error);
  *found |= never > 0;
  if (code != EO_OK) sequences->stopped = true;
  return code;
}

int eo__sequences_finish(eo_sequences *sequences, eo_error *error) {
  if (!sequences->saving) return EO_OK;
  sequences->saving = false;
  eo_text text;
  eo__text_init(&text);
  bool good = !sequences->stopped && eo__sr_tree_write(&sequences->fresh, &text);
  int code = good ? EO_OK : eo__error_nomem(error);
  if (good) {
    fwrite(text.chars, 1, text.length, sequences->file.stream);
    code = eo__json_file_finish(&sequences->file, error);
  } else {
    eo__json_file_drop(&sequences->file);
  }
  eo__text_release(&text);
  return code;
}

void eo__sequences_release(eo_sequences *sequences) {
  if (sequences->saving) eo__json_file_drop(&sequences->file);
  if (sequences->lines) fclose(sequences->lines);
  eo__pattern_close(sequences->never);
  eo__sr_tree_release(&sequences->old);
  eo__sr_tree_release(&sequences->fresh);
}
