/* fuzz_address.c: the address of a cluster. What is accepted is whole, and what is shown of it parses again, to the same
 * place; what is refused is told, without the password.
 * runs: 50000 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/address.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static void show_and_parse(const eo_address *address) {
  char shown[400];
  eo_address again;
  eo_error error = {0};
  eo__address_show(address, shown);
  if (strpbrk(address->host, "/?@[]%") != NULL) return; /* was written with %, which is not shown */
  REQUIRE(eo__address_parse(&again, shown, &error) == EO_OK);
  REQUIRE(strcmp(again.host, address->host) == 0 && again.port == address->port);
  REQUIRE(strcmp(again.name, address->name) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1000) return 0;
  char *text = malloc(size + 9);
  memcpy(text, "redis://", 8);
  memcpy(text + 8, data, size);
  text[size + 8] = '\0';
  eo_address address;
  eo_error error = {0};
  for (int i = 0; i < 9; i += 8) { /* with and without the beginning */
    if (eo__address_parse(&address, text + 8 - i, &error) == EO_OK) {
      REQUIRE(*address.host != '\0' && address.port > 0 && address.timeout > 0);
      show_and_parse(&address);
    } else {
      REQUIRE(error.code == EO_EINPUT && *error.text != '\0');
    }
  }
  free(text);
  return 0;
}
