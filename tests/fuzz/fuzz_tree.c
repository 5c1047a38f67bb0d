/* fuzz_tree.c: any text as a tree file, as what follows a good beginning of one, and as a pattern. What is read must be
 * written and read back the same.
 * runs: 20000 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/pattern.h"
#include "core/sr_tree.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static void read_tree(const char *text, size_t length) {
  eo_sr_tree tree, back;
  eo_error error = {0};
  eo__sr_tree_init(&tree);
  eo__sr_tree_init(&back);
  int code = eo__sr_tree_read(&tree, text, length, &error);
  REQUIRE((code == EO_OK) == (error.text[0] == '\0'));
  if (code == EO_OK) {
    eo_text once, twice;
    eo__text_init(&once);
    eo__text_init(&twice);
    REQUIRE(eo__sr_tree_write(&tree, &once));
    REQUIRE(eo__sr_tree_read(&back, once.chars, once.length, &error) == EO_OK);
    REQUIRE(eo__sr_tree_write(&back, &twice));
    REQUIRE(strcmp(once.chars, twice.chars) == 0);
    eo__text_release(&once);
    eo__text_release(&twice);
  }
  eo__sr_tree_release(&tree);
  eo__sr_tree_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char head[] = "everyorder-tree 1\ntest a\noptions -\ncomplete yes\nsequences 1\n1 s P1 exit\n";
  eo_text text;
  eo_error error = {0};
  eo__text_init(&text);
  eo__text_append(&text, (const char *)data, size);
  eo_pattern *pattern = eo__pattern_open(text.chars, &error);
  REQUIRE(!pattern == (error.text[0] != '\0'));
  eo__pattern_close(pattern);
  read_tree((const char *)data, size);
  eo__text_clear(&text);
  eo__text_append(&text, head, sizeof head - 1);
  eo__text_append(&text, (const char *)data, size);
  read_tree(text.chars, text.length);
  eo__text_release(&text);
  return 0;
}
