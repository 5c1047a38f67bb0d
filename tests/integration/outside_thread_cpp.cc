/* outside_thread_cpp.cc: what C++ keeps for each thread: for outside_thread.sh. */
#include <everyorder.h>

#include <exception>
#include <string>
#include <vector>

static void handles(void *argument) {
  int nth = *static_cast<int *>(argument);
  try {
    throw nth;
  } catch (int &caught) {
    eo_sleep(1); /* others run while this one is in its handler */
    try {
      throw std::to_string(caught);
    } catch (std::string &text) {
      eo_sleep(1);
      eo_assert(text == std::to_string(nth), "the exception of this process");
      try {
        throw;
      } catch (std::string &again) {
        eo_assert(&again == &text, "the same again");
      }
    }
    try {
      throw;
    } catch (int again) {
      eo_assert(again == nth, "the outer one again");
    }
  }
  eo_assert(!std::current_exception(), "none is left");
}

EO_TEST(ok_operations_while_handling) {
  for (int i = 1; i < 3; i++) eo_spawn(handles, &i, sizeof i);
}

struct sleeps {
  ~sleeps() {
    eo_assert(std::uncaught_exceptions() == 1, "one flies");
    eo_sleep(1);
    eo_assert(std::uncaught_exceptions() == 1, "one flies still");
  }
};

static void unwinds(void *) {
  try {
    sleeps now;
    throw 1;
  } catch (int) {}
  eo_assert(std::uncaught_exceptions() == 0, "none flies");
}

EO_TEST(ok_operations_while_unwinding) {
  for (int i = 0; i < 2; i++) eo_spawn(unwinds, nullptr, 0);
  eo_sleep(1);
  eo_assert(std::uncaught_exceptions() == 0, "none of this process flies");
}

static thread_local std::vector<int> numbers{1, 2, 3};

static void pushes(void *argument) {
  int nth = *static_cast<int *>(argument);
  numbers.push_back(nth);
  eo_sleep(1);
  eo_assert(numbers.size() == 4 && numbers.back() == nth, "my own");
}

EO_TEST(ok_containers) {
  for (int i = 0; i < 2; i++) eo_spawn(pushes, &i, sizeof i);
  int own = 9;
  pushes(&own);
}
