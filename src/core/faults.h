/* faults.h: how many faults an execution may have (eo_fault): so many in all, or so many of each kind that is named. */
#ifndef EO_CORE_FAULTS_H
#define EO_CORE_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { EO_FAULT_KINDS = 8, EO_FAULT_NAME = 64, EO_FAULTS_MOST = 1000, EO_FAULTS_DEFAULT = 1 };

typedef struct eo_fault_budget {
  uint32_t most;       /* in all; of named kinds, their sum */
  uint32_t kind_count; /* 0: of any kind; else of these alone */
  struct {
    char name[EO_FAULT_NAME];
    uint32_t most;
  } kinds[EO_FAULT_KINDS];
} eo_fault_budget;

/* What an execution has had. */
typedef struct eo_faults_taken {
  uint32_t all;
  uint16_t kinds[EO_FAULT_KINDS];
} eo_faults_taken;

/* "2", or "disk=1,net=2"; NULL: the default. */
int eo__faults_parse(const char *text, eo_fault_budget *budget, eo_error *error);

/* May one more of this kind happen; and, one has. */
bool eo__faults_allow(const eo_fault_budget *budget, const eo_faults_taken *taken, const char *kind);
void eo__faults_take(const eo_fault_budget *budget, eo_faults_taken *taken, const char *kind);

/* "at most 2 faults", "at most 1 fault of disk and 2 of net". */
void eo__faults_words(const eo_fault_budget *budget, eo_text *words);

#endif
