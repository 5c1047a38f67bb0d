/* outside_cpp.cc: the C++ library's ways outside: for outside.sh. */
#include <everyorder.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <string>
#include <thread>

struct with_destructor {
  std::string text = "static";
  ~with_destructor() { text += "!"; }
};

static with_destructor &instance() {
  static with_destructor one; /* registers its destructor, in each execution */
  return one;
}

EO_TEST(ok_library) {
  std::random_device device;
  std::mt19937 generator(device());
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  eo_assert(std::chrono::steady_clock::now() - start == std::chrono::milliseconds(5), "5 ms have passed");
  std::mutex mutex;
  const std::lock_guard<std::mutex> guard(mutex);
  try {
    throw std::string(instance().text);
  } catch (const std::string &) {}
  std::cout << "something" << std::endl;
  eo_choose((unsigned)(generator() % 5 + 1));
  std::ifstream file("/etc/passwd");
  std::string line;
  eo_assert(std::getline(file, line), "a constant file");
  eo_flip();
}

EO_TEST(bad_thread) {
  std::thread thread([] {});
  thread.join();
}

EO_TEST(bad_cin) {
  int number;
  std::cin >> number;
}
