/* faults.c: see faults.h. */
#include "core/faults.h"

#include <string.h>

static int refuse(const char *text, eo_error *error) {
  return eo__error_set(
      error, EO_EINPUT,
      "--faults %.64s: expected a whole number from 0 to %d, or numbers of at most %d kinds: disk=1,net=2",
      *text ? text : "''", EO_FAULTS_MOST, EO_FAULT_KINDS);
}

static bool number(const char *from, size_t length, uint32_t *out) {
  char digits[16];
  uint64_t value;
  if (length == 0 || length >= sizeof digits) return false;
  memcpy(digits, from, length);
  digits[length] = '\0';
  if (!eo__text_number(digits, EO_FAULTS_MOST, &value)) return false;
  *out = (uint32_t)value;
  return true;
}

static int find(const eo_fault_budget *budget, const char *kind, size_t length) {
  for (uint32_t i = 0; i < budget->kind_count; i++)
    if (strlen(budget->kinds[i].name) == length && memcmp(budget->kinds[i].name, kind, length) == 0) return (int)i;
  return -1;
}

int eo__faults_parse(const char *text, eo_fault_budget *budget, eo_error *error) {
  *budget = (eo_fault_budget){.most = EO_FAULTS_DEFAULT};
  if (!text || number(text, strlen(text), &budget->most)) return EO_OK;
  budget->most = 0;
  for (const char *at = text;;) {
    size_t length = strcspn(at, ","), name = strcspn(at, "=");
    uint32_t most;
    if (name == 0 || name >= length || name >= EO_FAULT_NAME || budget->kind_count == EO_FAULT_KINDS ||
        find(budget, at, name) >= 0 || !number(at + name + 1, length - name - 1, &most))
      return refuse(text, error);
    memcpy(budget->kinds[budget->kind_count].name, at, name);
    budget->kinds[budget->kind_count++].most = most;
    budget->most += most;
    if (at[length] == '\0') return EO_OK;
    at += length + 1;
  }
}

bool eo__faults_allow(const eo_fault_budget *budget, const eo_faults_taken *taken, const char *kind) {
  if (taken->all >= budget->most) return false;
  if (budget->kind_count == 0) return true;
  int i = find(budget, kind, strlen(kind));
  return i >= 0 && taken->kinds[i] < budget->kinds[i].most;
}

void eo__faults_take(const eo_fault_budget *budget, eo_faults_taken *taken, const char *kind) {
  int i = find(budget, kind, strlen(kind));
  taken->all++;
  if (i >= 0) taken->kinds[i]++;
}

void eo__faults_words(const eo_fault_budget *budget, eo_text *words) {
  if (budget->kind_count == 0) {
    if (budget->most == 0)
      eo__text_add(words, "no fault");
    else
      eo__text_add(words, "at most %u fault%s", budget->most, budget->most == 1 ? "" : "s");
    return;
  }
  for (uint32_t i = 0; i < budget->kind_count; i++)
    eo__text_add(words, "%s%u fault%s of %s",
                 i == 0                       ? "at most "
                 : i + 1 < budget->kind_count ? ", "
                                              : " and ",
                 budget->kinds[i].most, budget->kinds[i].most == 1 ? "" : "s", budget->kinds[i].name);
}
