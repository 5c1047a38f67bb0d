// hostile_objects.cc: exceptions, threads and destructors of C++: for hostile.sh. The program has a global object whose
// destructor does not return: it runs when everything is said.
#include "hostile_act.h"

#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

struct Patient {
  bool loops = true;
  ~Patient() {
    for (volatile bool *again = &loops; *again;) {}
  }
};
Patient at_the_end;

struct Thrower {
  ~Thrower() noexcept(false) { throw std::runtime_error("in a destructor"); }
};

void quiet() noexcept { throw std::logic_error("out of a noexcept function"); }

bool throws(const eo_message *, void *) { throw std::runtime_error("in a predicate"); }

} // namespace

HOSTILE(throw_escapes) { throw std::runtime_error("nobody catches it"); }
HOSTILE(throws_and_catches) {
  try {
    (void)eo_flip();
    throw std::string("across an operation");
  } catch (const std::string &) {
    (void)eo_flip();
  }
}
HOSTILE(throws_while_unwinding) {
  try {
    Thrower thrower;
    throw std::runtime_error("first");
  } catch (const std::exception &) {}
}
HOSTILE(throws_out_of_noexcept) { quiet(); }
HOSTILE(operates_while_caught) {
  try {
    throw 1;
  } catch (int) {
    (void)eo_flip();
  }
}
EO_TEST(throws_in_predicate) {
  eo_message message;
  eo_send(eo_self(), 1, nullptr, 0);
  eo_receive_if(&message, throws, nullptr, EO_FOREVER);
}
HOSTILE(rethrows_nothing) { throw; }
HOSTILE(std_thread) {
  std::thread([] {}).join();
}
HOSTILE(thread_destroyed) {
  std::thread thread([] {});
}
HOSTILE(loops_in_destructor) { Patient patient; }
EO_TEST(well_behaved) { (void)eo_flip(); }
