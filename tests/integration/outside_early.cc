/* outside_early.cc: memory that was allocated before the exploration, by constructors and by main: for outside_early.sh. */
#include <everyorder.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <locale>
#include <map>
#include <search.h>
#include <sstream>
#include <string>
#include <vector>

static std::vector<int> numbers{1, 2, 3};
static std::map<std::string, int> counts{{"a key that is too long for a small string", 1}, {"b", 2}};
static std::string *text = new std::string("a text that is too long for a small string");
static char *c_text = strdup("from C");
static int *table = static_cast<int *>(calloc(1000, sizeof(int)));
static void *aligned = aligned_alloc(256, 512);
static char *whole_page = static_cast<char *>(valloc(64)), *of_array = static_cast<char *>(reallocarray(nullptr, 4, 4));
static char *printed;
static char **arguments;
__attribute__((constructor)) static void prepare(int, char **all) {
  arguments = all;
  if (asprintf(&printed, "%s", "printed") < 0) abort();
}

static void look_and_change(void) {
  eo_assert(numbers.size() == 3 && numbers[0] == 1 && numbers[2] == 3, "as at the start");
  eo_assert(counts.size() == 2 && counts.at("b") == 2, "as at the start");
  eo_assert(*text == "a text that is too long for a small string", "as at the start");
  eo_assert(!strcmp(c_text, "from C") && table[7] == 0, "as at the start");
  eo_assert(!*whole_page && !*of_array && *printed == 'p' && **arguments != '#', "as at the start");
  eo_flip();
  numbers[0] = 9;
  numbers.push_back(4);
  counts.erase("b");
  counts["a new key"] = 3;
  *text += " and more";
  c_text[0] = 'X';
  c_text = static_cast<char *>(realloc(c_text, 100));
  table[7] = 1;
  *whole_page = *of_array = 1;
  *printed = **arguments = '#';
  free(aligned);
  eo_flip();
  eo_assert(numbers[0] == 9 && numbers.size() == 4 && counts.size() == 2 && !strcmp(c_text, "Xrom C"), "changed");
}

EO_TEST(ok_goes_back) { look_and_change(); }

static void reads(void *) {
  eo_sleep(1);
  eo_assert(counts.at("b") == 2 && numbers.at(1) == 2, "for all to read");
}

/* Of a shared library, whose constructors may come before those of all others. */
extern std::vector<int> of_a_library;

EO_TEST(ok_library_goes_back) {
  eo_assert(of_a_library.size() == 3 && of_a_library[1] == 8, "as at the start");
  of_a_library[1] = static_cast<int>(eo_choose(3));
  eo_sleep(1);
}

/* Of the C++ library itself. */
struct points : std::numpunct<char> {
  char do_decimal_point() const override { return ';'; }
};
EO_TEST(ok_cpp_library_goes_back) {
  static std::terminate_handler at_start = std::get_terminate();
  std::ostringstream text;
  text << 1.5;
  eo_assert(text.str() == "1.5" && std::get_terminate() == at_start, "as at the start");
  if (eo_flip()) return;
  std::set_terminate(abort);
  std::locale::global(std::locale(std::locale(), new points));
  eo_flip();
}

/* Of a library that a constructor has loaded: it allocates in its own constructor. */
static int *loaded() {
  static int **where = static_cast<int **>(dlsym(dlopen("./libloaded.so", RTLD_NOW), "loaded"));
  return *where;
}
static int *of_loaded = loaded();

EO_TEST(ok_loaded_goes_back) {
  eo_assert(of_loaded[1] == 7, "as at the start");
  of_loaded[1] = static_cast<int>(eo_choose(3));
  eo_sleep(1);
}

static void adds_to_loaded(void *) {
  eo_sleep(1);
  of_loaded[2]++;
}

EO_TEST(sharing_of_loaded) {
  for (int i = 0; i < 2; i++) eo_spawn(adds_to_loaded, nullptr, 0);
}

EO_TEST(ok_read_by_all) {
  for (int i = 0; i < 2; i++) eo_spawn(reads, nullptr, 0);
  reads(nullptr);
}

EO_TEST(assertion_if_hashed) {
  table[5] = static_cast<int>(eo_choose(3));
  eo_sleep(1);
  eo_sleep(1);
  eo_assert(table[5] != 2, "seen");
}

static void adds(void *) {
  eo_sleep(1);
  table[1]++;
}

EO_TEST(sharing_of_a_block) {
  for (int i = 0; i < 2; i++) eo_spawn(adds, nullptr, 0);
}

static void erases(void *) {
  eo_sleep(1);
  numbers.clear();
  numbers.shrink_to_fit();
}

static void changes_argument(void *) {
  eo_sleep(1);
  **arguments = '#';
}

EO_TEST(sharing_of_an_argument) {
  eo_spawn(changes_argument, nullptr, 0);
  eo_sleep(1);
  if (**arguments == '#') eo_sleep(1);
}

EO_TEST(sharing_of_a_container) {
  eo_spawn(erases, nullptr, 0);
  eo_sleep(1);
  if (!numbers.empty()) eo_sleep(1);
}

EO_TEST(misuse_freed_twice) {
  free(c_text);
  free(c_text);
}

/* What the C library allocates for the program. */
static void *tree;
static int compare(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }
__attribute__((constructor)) static void plant() { tsearch("m", &tree, compare); }
static void grows(void *argument) {
  eo_sleep(1);
  eo_assert(!tfind("a", &tree, compare), "from an execution before");
  if (!argument) tsearch("a", &tree, compare);
}
static void looks_up(void *) {
  eo_sleep(1);
  tfind("a", &tree, compare);
}
EO_TEST(ok_tree) {
  grows(nullptr);
  eo_flip();
}
EO_TEST(sharing_tree) {
  eo_spawn(looks_up, nullptr, 0);
  grows(nullptr);
}

#ifdef OWN_MAIN
static void explored(void *argument) {
  int *given = static_cast<int *>(argument);
  eo_assert(given[0] == 5, "as main has set it");
  eo_flip();
  given[0] = 6;
}

int main() {
  eo_options options = {};
  eo_result result;
  int *given = static_cast<int *>(malloc(2 * sizeof *given));
  options.strategy = "dfs";
  for (int i = 0; i < 2; i++) {
    given[0] = 5;
    given[1] = i;
    if (eo_explore(explored, given, &options, &result) != 0 || result.verdict != EO_PASS || result.executions != 2)
      return 1;
    if (given[0] != 5 || given[1] != i) return 2;
    given = static_cast<int *>(realloc(given, 100000)); /* between two explorations */
    memset(given + 2, 1, 99992);
  }
  free(given);
  return 0;
}
#endif
