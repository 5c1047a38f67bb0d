/* policy_cases.h: what the rules of src/frontier/policy.c and policy.lua decide: one table for both. The test of policy.c
 * is test_frontier.c, that of policy.lua test_redis.c, where Redis runs the rules. */
#ifndef TESTS_POLICY_CASES_H
#define TESTS_POLICY_CASES_H

#include "core/frontier.h"

static const struct {
  uint32_t workers;
  double budget;
  bool fixed;
  uint32_t active;
  size_t bytes;
  double wanted;
} policy_budgets[] = {{8, 2, false, 1, 0, 0.25},       {8, 2, false, 4, 0, 1},         {8, 2, false, 8, 0, 2},
                      {8, 2, false, 20, 0, 2},         {8, 2, false, 8, 40000000, 4},  {8, 2, false, 1, 20000000, 1.25},
                      {8, 2, true, 1, 0, 2},           {8, 2, true, 1, 10000000, 2.5}, {1, 0.25, false, 1, 0, 0.25},
                      {3, 0.3, false, 2, 200, 0.20001}};

static const struct {
  uint32_t workers;
  uint64_t expected;
  uint32_t wanted;
} policy_pieces[] = {{1, 0, 1},     {1, 1, 1},      {2, 1, 2},       {2, 3, 2},       {2, 4, 1},     {8, 1, 2},
                     {8, 15, 2},    {8, 16, 1},     {8, 99, 1},      {17, 1, 3},      {17, 2, 2},    {17, 33, 2},
                     {1024, 1, 65}, {1024, 32, 64}, {1024, 2047, 2}, {1024, 2048, 1}, {1024, 0, 65}, {16, 0, 2}};

static const struct {
  uint32_t workers;
  uint64_t left, wanted;
} policy_allots[] = {{1, 0, 0},  {1, 1, 1},     {1, 1000, 1000}, {2, 0, 0},       {2, 1, 1},
                     {2, 3, 1},  {2, 8, 2},     {2, 11, 2},      {8, 15, 1},      {8, 16, 1},
                     {8, 32, 2}, {8, 1000, 62}, {1024, 2047, 1}, {1024, 2048, 1}, {1024, 1000000, 488}};

static const struct {
  bool no_doubling;
  uint32_t holders;
  bool wanted;
} policy_doubles[] = {{false, 0, true}, {false, 1, true}, {false, 2, false}, {false, 3, false},
                      {true, 0, false}, {true, 1, false}, {true, 2, false}};

/* Does the first coverage say less than the second? */
static const struct {
  eo_coverage coverage;
  const char *covered;
  eo_coverage least;
  const char *words;
  bool wanted;
} policy_less[] = {{EO_COVERS_BOUND, "b", EO_COVERS_ALL, "a longer text", true},
                   {EO_COVERS_ALL, "a longer text", EO_COVERS_BOUND, "b", false},
                   {EO_COVERS_SAMPLE, "", EO_COVERS_BOUND, "b", true},
                   {EO_COVERS_ALL, "more than 10", EO_COVERS_ALL, "more than 2", true},
                   {EO_COVERS_ALL, "more than 2", EO_COVERS_ALL, "more than 10", false},
                   {EO_COVERS_ALL, "more than 3", EO_COVERS_ALL, "more than 2", true},
                   {EO_COVERS_ALL, "more than 2", EO_COVERS_ALL, "more than 3", false},
                   {EO_COVERS_ALL, "", EO_COVERS_ALL, "", false},
                   {EO_COVERS_BOUND, "the same", EO_COVERS_BOUND, "the same", false}};

#define POLICY_CASES(table) (sizeof(table) / sizeof *(table))

#endif
