/* fuzz_finding.c: any text as the JSON of a finding and as a part of a good one, and any bytes as the texts in one. What
 * is read must be written and read back the same.
 * runs: 5000 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/finding.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static void parse(const char *json) {
  eo_finding finding, back;
  eo__finding_init(&finding);
  eo__finding_init(&back);
  eo_error error = {0};
  int code = eo__finding_from_json(&finding, json, &error);
  REQUIRE(code == error.code && (code == EO_OK) == (error.text[0] == '\0'));
  if (code == EO_OK) {
    char *once = eo__finding_to_json(&finding);
    REQUIRE(once && eo__finding_from_json(&back, once, NULL) == EO_OK);
    REQUIRE(eo__failure_same(&finding.failure, &back.failure));
    char *twice = eo__finding_to_json(&back);
    REQUIRE(twice && strcmp(once, twice) == 0);
    eo__free(once);
    eo__free(twice);
  }
  eo__finding_release(&finding);
  eo__finding_release(&back);
}

/* The first two bytes say where in a good finding the other bytes go, the third how much of it they replace. */
static void parse_spliced(const uint8_t *data, size_t size) {
  static const char good[] =
      "{\"kind\":\"crash\",\"message\":\"m\",\"process\":\"P1\",\"file\":\"f.c\",\"line\":17,\"execution\":42,"
      "\"depth\":9,"
      "\"preemptions\":1,\"switches\":3,\"minimised\":true,\"fewest\":true,\"rechecked\":false,\"lines\":[{\"process\":"
      "\"P1\",\"name\":"
      "\"\","
      "\"op\":\"send\",\"text\":\"t\",\"file\":\"\",\"function\":\"g\",\"line\":5,\"value\":7,\"preempts\":false}],"
      "\"waiting\":[\"w\"],\"backtrace\":[],\"ticket\":null,\"schedule\":\"P1*3\"}";
  const size_t length = sizeof good - 1;
  if (size < 3) return;
  size_t at = (data[0] * 256u + data[1]) % length, skipped = data[2] % 32;
  if (skipped > length - at) skipped = length - at;
  eo_text text;
  eo__text_init(&text);
  eo__text_append(&text, good, at);
  eo__text_append(&text, (const char *)data + 3, size - 3);
  eo__text_append(&text, good + at + skipped, length - at - skipped);
  parse(text.chars);
  eo__text_release(&text);
}

/* Whatever the program under test says, the finding can be written and read. */
static void quote(const char *bytes) {
  eo_finding finding, back;
  eo__finding_init(&finding);
  eo__finding_init(&back);
  strncpy(finding.failure.message, bytes, sizeof finding.failure.message - 1);
  strncpy(finding.failure.file, bytes, sizeof finding.failure.file - 1);
  finding.schedule = eo__strdup(bytes);
  REQUIRE(finding.schedule && eo_vec_push(&finding.waiting, eo__strdup(bytes)));
  char *once = eo__finding_to_json(&finding);
  REQUIRE(once && !strchr(once, '\n'));
  REQUIRE(eo__finding_from_json(&back, once, NULL) == EO_OK);
  char *twice = eo__finding_to_json(&back);
  REQUIRE(twice && strcmp(once, twice) == 0);
  eo__free(once);
  eo__free(twice);
  eo__finding_release(&finding);
  eo__finding_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  eo_text text;
  eo__text_init(&text);
  eo__text_append(&text, (const char *)data, size);
  parse(text.chars);
  parse_spliced(data, size);
  quote(text.chars);
  eo__text_release(&text);
  return 0;
}
