/* test_pairwise_model.c: reading models: what is understood, shown in a short form, and where errors point to.
 * valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "pairwise/constraint.h"
#include "pairwise/model.h"
#include "pairwise/names.h"

/* ---- Help --------------------------------------------------------------------------------------------------------- */

static int read_with(eo_pairwise_model *model, const char *text, const eo_pairwise_syntax *syntax, eo_error *error) {
  return eo__pairwise_model_read(model, "m", text, strlen(text), syntax, error);
}

static void show_group(eo_text *out, const eo_pairwise_group *group, const char *word) {
  eo__text_add(out, "%s", word);
  for (size_t i = 0; i < group->params.count; i++) eo__text_add(out, " %u", group->params.items[i]);
  eo__text_add(out, " @ %u\n", group->order);
}

static void show(eo_text *out, const eo_pairwise_model *model) {
  for (size_t p = 0; p < model->params.count; p++) {
    const eo_pairwise_param *param = &model->params.items[p];
    eo__text_add(out, "%s %s%s", param->numeric ? "number" : "string", param->name, param->values.count ? ":" : "");
    for (size_t v = 0; v < param->values.count; v++) {
      const eo_pairwise_value *value = &param->values.items[v];
      eo__text_add(out, " %s", value->invalid ? "~" : "");
      for (size_t n = 0; n < value->names.count; n++) eo__text_add(out, "%s<%s>", n ? "|" : "", value->names.items[n]);
      if (value->weight != 1) eo__text_add(out, "*%u", value->weight);
      if (param->numeric) eo__text_add(out, "=%g", value->number);
    }
    eo__text_add(out, "\n");
  }
  for (size_t i = 0; i < model->groups.count; i++) show_group(out, &model->groups.items[i], "group");
  for (size_t i = 0; i < model->relations.count; i++) show_group(out, &model->relations.items[i], "relation");
  for (size_t i = 0; i < model->constraints.count; i++) {
    eo__text_add(out, "%u: %s\n", model->constraints.items[i].line, model->constraints.items[i].text);
  }
  for (size_t i = 0; i < model->warnings.count; i++) eo__text_add(out, "%s\n", model->warnings.items[i]);
}

static void expect_with(const char *text, const eo_pairwise_syntax *syntax, const char *shown) {
  eo_pairwise_model model;
  eo_error error = {0};
  if (read_with(&model, text, syntax, &error) != EO_OK) fail_msg("%s\n%s", error.text, text);
  eo_text out;
  eo__text_init(&out);
  show(&out, &model);
  assert_string_equal(out.chars, shown);
  eo__text_release(&out);
  eo__pairwise_model_release(&model);
}

static void expect(const char *text, const char *shown) { expect_with(text, &eo__pairwise_pict, shown); }

static void expect_error(const char *text, const char *message) {
  eo_pairwise_model model;
  eo_error error = {0};
  assert_int_equal(read_with(&model, text, &eo__pairwise_pict, &error), EO_EINPUT);
  assert_string_equal(error.text, message);
  assert_int_equal(model.params.count, 0);
}

/* ---- Parameters --------------------------------------------------------------------------------------------------- */

static void parameters_and_types(void **state) {
  (void)state;
  expect("A: 1, 2.50, -3e2, 0x1F\nB : x,y , 1\n\n# comment: a, b\n  # another\nC D:q",
         "number A: <1>=1 <2.50>=2.5 <-3e2>=-300 <0x1F>=31\nstring B: <x> <y> <1>\nstring C D: <q>\n");
  expect("\xef\xbb\xbfName: \xc3\xa9, b\r\nOther: 1,2\r\n", "string Name: <\xc3\xa9> <b>\nnumber Other: <1>=1 <2>=2\n");
  expect("A, 1, 2\n", "number A: <1>=1 <2>=2\n"); /* PICT: without a colon */
  expect("A: b: c, d # e\n", "string A: <b: c> <d # e>\n");
  expect(
      "IFACE: a[1], b\nIf: 1\nNot: 2\nIF (x): 1, 2\n(p): 1\nrelation { a }: 1\nINF: inf, 1\n",
      "string IFACE: <a[1]> <b>\nnumber If: <1>=1\nnumber Not: <2>=2\nnumber IF (x): <1>=1 <2>=2\nnumber (p): <1>=1\n"
      "number relation { a }: <1>=1\nstring INF: <inf> <1>\n");
}

static void aliases_weights_invalid(void **state) {
  (void)state;
  expect("A: x | y (10), ~z, ~ 5|6 (2), u (0), v (w), (3)\n",
         "string A: <x>|<y>*10 ~<z> ~<5>|<6>*2 <u (0)> <v (w)> <>*3\nm:1:45: a value of parameter 'A' has an empty "
         "name\n");
  expect("A: 1|one, ~-1\n", "number A: <1>|<one>=1 ~<-1>=-1\n");
  expect("A: x, , y\n", "string A: <x> <> <y>\nm:1:7: a value of parameter 'A' has an empty name\n");
  expect("A: x, X, y\nB: 1 | 2, 2\n",
         "string A: <x> <X> <y>\nnumber B: <1>|<2>=1 <2>=2\nm:1:1: parameter 'A' has a value 'X' more than once\n"
         "m:2:1: parameter 'B' has a value '2' more than once\n");
  eo_pairwise_syntax syntax = {';', '/', '!', true};
  expect_with("A: x/y; X ; !z,\nB: ~1\n{A; B} @ 1\n", &syntax,
              "string A: <x>|<y> <X> ~<z,>\nstring B: <~1>\ngroup 0 1 @ 1\n");
}

static void references(void **state) {
  (void)state;
  expect("A: 1 (3), ~2|b\nB: <A>, c\nC: < a >\nD: <E>, <D>\n",
         "number A: <1>*3=1 ~<2>|<b>=2\nstring B: <1>*3 ~<2>|<b> <c>\nnumber C: <1>*3=1 ~<2>|<b>=2\n"
         "string D: <<E>> <<D>>\nm:4:4: there is no parameter 'E' above: <E> is taken as a value\n"
         "m:4:9: there is no parameter 'D' above: <D> is taken as a value\n");
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "A0: 1, 2\n");
  for (int i = 1; i < 40; i++) eo__text_add(&text, "A%d: <A%d>, <A%d>\n", i, i - 1, i - 1);
  expect_error(text.chars, "m:16:13: parameter 'A15' has more than 65534 values");
  eo__text_release(&text);
}

static void groups_and_relations(void **state) {
  (void)state;
  expect("A: 1\nB: 1\nC: 1\n{ c, A } @ 2\n{B,A,B}\n",
         "number A: <1>=1\nnumber B: <1>=1\nnumber C: <1>=1\ngroup 0 2 @ 2\ngroup 0 1 @ 0\n"
         "m:5:1: a parameter is named twice here\n");
  expect("A: 1\nB: 1\nC: 1\nRelation{ A, B } @ 2\n[A] = 1;",
         "number A: <1>=1\nnumber B: <1>=1\nnumber C: <1>=1\nrelation 0 1 @ 2\n5: [A] = 1;\n"
         "m:3:1: parameter 'C' is in no relation: the tests use arbitrary values of it\n"
         "m:5:1: every value of [A] satisfies [A] = 1\n");
}

static void bad_files(void **state) {
  (void)state;
  expect_error("", "m:1:1: there is no parameter in this file");
  expect_error("# only\n\n", "m:1:1: there is no parameter in this file");
  expect_error("[A] = 1;", "m:1:1: parameters come first: Name: value, value");
  expect_error("\n{ A }", "m:2:1: parameters come first: Name: value, value");
  expect_error("A: 1\n  B\n", "m:2:3: a parameter is written Name: value, value");
  expect_error("A: 1\nB:  \n", "m:2:2: parameter 'B' has no values");
  expect(": 1\n", "number : <1>=1\nm:1:1: a parameter has no name before its values\n");
  expect_error("A: 1\nIF IsPositiv1e(A) THEN 1;\n", "m:2:4: a [parameter] expected, not 'IsPositiv1e'");
  expect_error("A: ~1, ~2\n", "m:1:1: parameter 'A' has only invalid values: add a valid one");
  expect_error("A: 1\n\nB: 1\n a : 2\n", "m:4:2: there is a parameter 'a' already, in line 1");
  expect_error("A @ 3: 1\n", "m:1:3: a parameter has no order of its own here: write a sub-model or a relation");
  expect("A: 1\n{ A, \xc3\xa9, X }\n",
         "number A: <1>=1\nm:2:6: there is no parameter '\xc3\xa9': the sub-model is left out\n");
  expect_error("A: 1\n{ X }\nA: 2\n", "m:3:1: parameters stand before sub-models and relations");
  expect_error("A: 1\nrelation { A, \xc3\xa9, X }\n", "m:2:15: there is no parameter '\xc3\xa9'");
  expect_error("A: 1\n{ A \n", "m:2:1: there is no } for this { on the same line");
  expect_error("A: 1\n{ }\n", "m:2:1: no parameter is named between { and }");
  expect_error("A: 1\n{ A } 2\n", "m:2:7: after } only @ and an order may follow");
  expect_error("A: 1\n{ A } @ x\n", "m:2:9: an order is a number from 1 to 6");
  expect_error("A: 1\n{ A } @ 2\n", "m:2:9: an order of 2 is above the number of parameters here, 1");
  expect_error("A: 1\n{ A }\nrelation { A }\n", "m:3:1: a model has sub-models or relations, not both");
  expect_error("A: 1\n{ A }\nB: 2\n", "m:3:1: parameters stand before sub-models and relations");
  expect_error("A: 1, 2\n[A]=1;\n{ A }\n", "m:3:1: sub-models and relations stand before the first constraint");
  expect_error(
      "\xff\xfe"
      "A",
      "m:1:1: this is UTF-16 or UTF-32: save the file as UTF-8");
  eo_pairwise_model model;
  eo_error error = {0};
  assert_int_equal(eo__pairwise_model_read(&model, "m", "A\0: 1", 5, &eo__pairwise_pict, &error), EO_EINPUT);
  assert_string_equal(error.text, "m:1:2: a zero byte: this is not a text file");
  assert_int_equal(eo__pairwise_model_read(&model, "m", "", 0, &eo__pairwise_pict, NULL), EO_EINPUT);
}

/* ---- Constraints -------------------------------------------------------------------------------------------------- */

#define PARAMS                  \
  "A: x, y, z1, z2, \xc3\xa9\n" \
  "N: 1, 2, 3, ~-4\n"           \
  "M: 2, 3, 5\n"                \
  "S: X, a, y\n"

/* In which of the 5 * 4 * 3 * 3 rows does the constraint hold? As a sum, to tell one constraint from another; and by the
 * predicate, row by row. */
static void holds(const char *constraint, bool wanted(const uint16_t *row)) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, PARAMS "%s", constraint);
  eo_pairwise_model model;
  eo_error error = {0};
  if (read_with(&model, text.chars, &eo__pairwise_pict, &error) != EO_OK) fail_msg("%s", error.text);
  assert_int_equal(model.constraints.count, 1);
  for (unsigned i = 0; i < 5u * 4 * 3 * 3; i++) {
    uint16_t row[4] = {(uint16_t)(i % 5), (uint16_t)(i / 5 % 4), (uint16_t)(i / 20 % 3), (uint16_t)(i / 60)};
    bool is = eo__pairwise_constraint_holds(&model, &model.constraints.items[0], row);
    if (is != wanted(row)) fail_msg("%s is %d in row %u %u %u %u", constraint, is, row[0], row[1], row[2], row[3]);
  }
  eo__pairwise_model_release(&model);
  eo__text_release(&text);
}

static const double number_n[] = {1, 2, 3, -4}, number_m[] = {2, 3, 5};
#define A (row[0])
#define N (number_n[row[1]])
#define M (number_m[row[2]])
#define S (row[3])
#define ROWS(name, expression) \
  static bool name(const uint16_t *row) { return (void)row, (expression); }
ROWS(a_is_x, A == 0)
ROWS(a_is_not_x, A != 0)
ROWS(a_above_x, A > 0)
ROWS(a_up_to_z1, A <= 2)
ROWS(a_like_z, A == 2 || A == 3)
ROWS(a_not_like_z, A != 2 && A != 3)
ROWS(a_one_character, A == 0 || A == 1 || A == 4)
ROWS(a_is_accented, A == 4)
ROWS(n_above_2, N > 2)
ROWS(n_from_2, N >= 2)
ROWS(n_below_2, N < 2)
ROWS(n_is_minus_4, N == -4)
ROWS(n_in, N == 1 || N == 3)
ROWS(n_not_in, N != 1 && N != 3)
ROWS(n_is_m, N == M)
ROWS(n_is_not_m, N != M)
ROWS(n_below_m, N < M)
ROWS(a_is_s, (A == 0 && S == 0) || (A == 1 && S == 2))
ROWS(precedence, N == 1 || (N == 2 && M == 5))
ROWS(parentheses, (N == 1 || N == 2) && M == 5)
ROWS(not_binds, N != 1 && M == 5)
ROWS(not_parentheses, !(N == 1 && M == 5))
ROWS(if_then, A != 0 || N > 1)
ROWS(if_then_else, A == 0 ? N > 1 : M < 3)
ROWS(if_or_then_and, !(A == 0 || A == 1) || (N > 1 && M == 5))
ROWS(always, true)
ROWS(never, false)
#undef A
#undef N
#undef M
#undef S

static void every_form(void **state) {
  (void)state;
  holds("[A] = \"x\";", a_is_x);
  holds("[a]=\"X\" ;", a_is_x);
  holds("[A] <> \"x\";", a_is_not_x);
  holds("[A] > \"x\";", a_above_x);
  holds("[A] <= \"Z1\";", a_up_to_z1);
  holds("[A] LIKE \"z*\";", a_like_z);
  holds("[A] like \"?1\" OR [A] Like \"*2\";", a_like_z);
  holds("[A] NOT LIKE \"z*\";", a_not_like_z);
  holds("NOT [A] LIKE \"z*\";", a_not_like_z);
  holds("[A] LIKE \"?\";", a_one_character);
  holds("[A] = \"\xc3\x89\";", a_is_accented);
  holds("[N] > 2;", n_above_2);
  holds("[N] >= 2.0;", n_from_2);
  holds("[N]<2e0;", n_below_2);
  holds("[N] = -4;", n_is_minus_4);
  holds("[N] IN {1, 3};", n_in);
  holds("[N] NOT IN { 3 , 1 };", n_not_in);
  holds("NOT [N] IN {1,3};", n_not_in);
  holds("[A] IN {\"x\", \"nothing\"};", a_is_x);
  holds("[N] = [M];", n_is_m);
  holds("[N]<>[M];", n_is_not_m);
  holds("[N] < [M];", n_below_m);
  holds("[M] > [N];", n_below_m);
  holds("[A] = [S];", a_is_s);
  holds("[A] LIKE [S];", a_is_s);
  holds("[N] = 1 OR [N] = 2 AND [M] = 5;", precedence);
  holds("[M] = 5 AND [N] = 2 OR [N] = 1;", precedence);
  holds("([N] = 1 OR [N] = 2) AND [M] = 5;", parentheses);
  holds("NOT [N] = 1 AND [M] = 5;", not_binds);
  holds("NOT ([N] = 1 AND [M] = 5);", not_parentheses);
  holds("NOT NOT NOT ([N] = 1 AND [M] = 5);", not_parentheses);
  holds("IF [A] = \"x\" THEN [N] IN {2, 3};", if_then);
  holds("if [A]=\"x\"then([N]>1)else[M]<3;", if_then_else);
  holds("IF\n [A] = \"x\" OR\r\n# a comment ; with \"\n [A] = \"y\"\nTHEN\n [N] > 1 AND [M] = 5\n;\n", if_or_then_and);
  holds("IF (\n [A] = \"x\") THEN [N] > 1;", if_then);
  holds("ISNEGATIVE([N]);", n_is_minus_4);
  holds("IsNegative(N);", n_is_minus_4);
  holds("IF ISPOSITIVE( n ) THEN [N] = 7;", n_is_minus_4);
  holds("IF IsPositive() THEN [N] = 7;", n_is_minus_4);
  holds("IsNegative();", n_is_minus_4);
  holds("IsPositive([M]);", always);
  holds("IsNegative([A]);", never);
}

static void texts_and_warnings(void **state) {
  (void)state;
  expect(
      "A b: x, y \"q\", z]\nB: C:\\d, e\n\nIF [A b] = \"x\"\n   AND [B] =   \"two  blanks\"\n# no\nTHEN [a B] <> \"y "
      "\\\"q\\\"\";[A b] = \"z\\]\"; IF [B] = \"C:\\\\d\" THEN [A b] = \"x\";",
      "string A b: <x> <y \"q\"> <z]>\nstring B: <C:\\d> <e>\n"
      "4: IF [A b] = \"x\" AND [B] = \"two  blanks\" THEN [a B] <> \"y \\\"q\\\"\";\n"
      "7: [A b] = \"z\\]\";\n7: IF [B] = \"C:\\\\d\" THEN [A b] = \"x\";\n"
      "m:5:8: no value of [B] satisfies [B] = \"two  blanks\"\n");
  eo_pairwise_syntax exact = eo__pairwise_pict;
  exact.case_sensitive = true;
  expect_with("A: x, X\na: 1\n[A] = \"X\";", &exact, "string A: <x> <X>\nnumber a: <1>=1\n3: [A] = \"X\";\n");
}

/* A constraint that names an unknown parameter is left out, whole, and those after it are read. */
static void unknown_parameters(void **state) {
  (void)state;
  expect("A: 1, 2\n[Q] = 1;\n[A] = [Q] AND [A] = 2;\nIF [Q] LIKE \"x\" THEN ISNEGATIVE(R);\n[A] = 1;\n",
         "number A: <1>=1 <2>=2\n5: [A] = 1;\nm:2:1: there is no parameter 'Q': the constraint is left out\n"
         "m:3:7: there is no parameter 'Q': the constraint is left out\n"
         "m:4:4: there is no parameter 'Q': the constraint is left out\n"
         "m:4:33: there is no parameter 'R': the constraint is left out\n");
  expect_error("A: 1, 2\n[Q] = ;\n", "m:2:7: a number, a \"string\" or a [parameter] expected, not ';'");
  expect("A: 1, ~2\nIF ISPOSITIVE(\n  A\n) THEN [A] = 1;\n",
         "number A: <1>=1 ~<2>=2\n2: IF ISPOSITIVE( A ) THEN [A] = 1;\n");
}

static void bad_constraints(void **state) {
  (void)state;
  expect_error(PARAMS "[A] = 1;", "m:5:7: the values of [A] are strings; this is a number");
  expect_error(PARAMS "[N] IN {1, \"x\"};", "m:5:12: the values of [N] are numbers; this is a string");
  expect_error(PARAMS "[N] = [A];", "m:5:7: the values of [N] are numbers, those of [A] are strings");
  expect_error(PARAMS "[N] <= [n];", "m:5:8: [N] is compared with itself");
  expect_error(PARAMS "[N] LIKE \"x\";", "m:5:5: LIKE is for strings; the values of [N] are numbers");
  expect_error(PARAMS "[A] LIKE 3;", "m:5:10: LIKE takes a pattern in quotes");
  expect_error(PARAMS "[A] = x;", "m:5:7: a number, a \"string\" or a [parameter] expected, not 'x'");
  expect_error(PARAMS "[A] == \"x\";", "m:5:6: a number, a \"string\" or a [parameter] expected, not '='");
  expect_error(PARAMS "[A] is \"x\";", "m:5:5: =, <>, <, <=, >, >=, IN or LIKE expected, not 'is'");
  expect_error(PARAMS "[A] NOT \"x\";", "m:5:9: =, <>, <, <=, >, >=, IN or LIKE expected, not '\"'");
  expect_error(PARAMS "[A] = \"x\n\";", "m:5:7: there is no \" for this \" on the same line");
  expect_error(PARAMS "[A = \"x\";", "m:5:1: there is no ] for this [ on the same line");
  expect_error(PARAMS "[A] = \"\\x\";", "m:5:8: a \\ is written \\\\ here (only \\\\, \\\" and \\] are known)");
  expect_error(PARAMS "[A] = \"x\"", "m:5:10: the constraint ends too early: AND, OR or ; expected");
  expect_error(PARAMS "IF [A] = \"x\" [N] = 1;", "m:5:14: AND, OR or THEN expected, not '['");
  expect_error(PARAMS "IF [A] = \"x\" THEN [N] = 1 [M] = 2;", "m:5:27: AND, OR, ELSE or ; expected, not '['");
  expect_error(PARAMS "[A] = \"x\" ELSE [N] = 1;", "m:5:11: AND, OR or ; expected, not 'ELSE'");
  expect_error(PARAMS "([A] = \"x\";", "m:5:11: AND, OR or ) expected, not ';'");
  expect_error(PARAMS "[N] IN 1;", "m:5:8: { and values expected, not '1'");
  expect_error(PARAMS "[N] IN {1 2};", "m:5:11: , or } expected, not '2'");
  expect_error(PARAMS "[N] IN {};", "m:5:9: a number, a \"string\" or a [parameter] expected, not '}'");
  expect_error(PARAMS "ISNEGATIVE [N];", "m:5:12: ( expected, not '['");
  expect_error(PARAMS "ISNEGATIVE(Q;", "m:5:11: there is no ) for this (");
  expect_error(PARAMS "[N] = 1;\n\n  ;", "m:7:3: a [parameter] expected, not ';'");
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, PARAMS);
  for (int i = 0; i < 1000; i++) eo__text_add(&text, i % 2 ? "(" : "NOT ");
  expect_error(text.chars, "m:5:251: more than 100 parentheses and NOTs inside one another");
  eo__text_release(&text);
}

/* What is known of part of a row. */
static void open_terms(void **state) {
  (void)state;
  static const char *text = "A: 1, 2\nB: 1, 2\nIF [A] = 1 THEN [B] = 1 ELSE [B] = 2;\n[A] = 1 OR [B] = 1;[A] <> [B];";
  eo_pairwise_model model;
  assert_int_equal(read_with(&model, text, &eo__pairwise_pict, NULL), EO_OK);
  static const struct {
    uint16_t row[2];
    int truth[3];
  } cases[] = {{{UINT16_MAX, UINT16_MAX}, {2, 2, 2}},
               {{0, UINT16_MAX}, {2, 1, 2}},
               {{1, UINT16_MAX}, {2, 2, 2}},
               {{UINT16_MAX, 1}, {2, 2, 2}},
               {{0, 0}, {1, 1, 0}},
               {{1, 1}, {1, 0, 0}},
               {{1, 0}, {0, 1, 1}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int c = 0; c < 3; c++) {
      assert_int_equal(eo__pairwise_term_truth(&model, model.constraints.items[c].term, cases[i].row),
                       cases[i].truth[c]);
    }
  }
  eo__pairwise_model_release(&model);
}

/* ---- Names -------------------------------------------------------------------------------------------------------- */

static void numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t length;
    double number;
  } cases[] = {{"1", 1, 1},        {"+.5x", 3, 0.5},  {"5.", 2, 5},
               {"1e3", 3, 1000},   {"1e", 1, 1},      {"1e+", 1, 1},
               {"-0x10", 5, -16},  {"0x", 0, 0},      {".", 0, 0},
               {"-", 0, 0},        {"", 0, 0},        {"1e999", 0, 0},
               {"1e-999", 0, 0},   {"0e999", 5, 0},   {"nan", 0, 0},
               {"0.1", 3, 0.1},    {"1e-1", 4, 0.1},  {"0.10", 4, 0.1},
               {"100e-3", 6, 0.1}, {"1E2E3", 3, 100}, {"12345678901234567890123", 23, 12345678901234567890123.0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double number = 0;
    assert_int_equal(eo__pairwise_number(cases[i].text, strlen(cases[i].text), &number), cases[i].length);
    /* Exactly where there are few digits; with many, also where a long double is no longer than a double (valgrind). */
    bool close =
        strlen(cases[i].text) > 19 ? fabs(number - cases[i].number) < 1e-15 * fabs(number) : number == cases[i].number;
    if (cases[i].length > 0 && !close) fail_msg("%s is %.17g", cases[i].text, number);
  }
}

static void comparing(void **state) {
  (void)state;
  assert_true(eo__pairwise_compare("abc", "ABC", false) == 0);
  assert_true(eo__pairwise_compare("abc", "ABC", true) > 0);
  assert_true(eo__pairwise_compare("a", "_", false) < 0); /* in upper case, as PICT */
  assert_true(eo__pairwise_compare("ab", "abc", false) < 0);
  assert_true(eo__pairwise_compare("\xd0\xb6\xd1\x91", "\xd0\x96\xd0\x81", false) == 0); /* Cyrillic */
  assert_true(eo__pairwise_compare("\xce\xbb", "\xce\x9b", false) == 0);                 /* Greek */
  assert_true(eo__pairwise_compare("\xff", "\xff", false) == 0);
  assert_true(eo__pairwise_compare("\xff", "\xf0\x9f\x98\x80", false) > 0);
  assert_true(eo__pairwise_like("a?c*", "ABCDE", false));
  assert_false(eo__pairwise_like("a?c*", "ABCDE", true));
  assert_true(eo__pairwise_like("*b*b", "abab", true));
  assert_true(eo__pairwise_like("?", "\xf0\x9f\x98\x80", true));
  assert_true(eo__pairwise_like("*", "", true));
  assert_false(eo__pairwise_like("?", "", true));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_and_types),
      cmocka_unit_test(aliases_weights_invalid),
      cmocka_unit_test(references),
      cmocka_unit_test(groups_and_relations),
      cmocka_unit_test(bad_files),
      cmocka_unit_test(every_form),
      cmocka_unit_test(texts_and_warnings),
      cmocka_unit_test(unknown_parameters),
      cmocka_unit_test(bad_constraints),
      cmocka_unit_test(open_terms),
      cmocka_unit_test(numbers),
      cmocka_unit_test(comparing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
