// cpp_actors.cc: processes and tests in C++17.
//
// Whatever is trivially copyable can be sent and handed to a new process: its bytes are what travels. Containers live
// in the memory of their process. (eo_exit runs no destructors; return from the process instead.)
#include <everyorder.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace {

enum Tag : int { kWord, kStop, kLength };

template <typename T>
eo_pid spawn(eo_function function, const T &argument) {
  static_assert(std::is_trivially_copyable_v<T>, "the argument is copied as bytes");
  return eo_spawn(function, &argument, sizeof(argument));
}

template <typename T>
void send(eo_pid to, Tag tag, const T &value) {
  static_assert(std::is_trivially_copyable_v<T>, "a message is copied as bytes");
  eo_send(to, tag, &value, sizeof(value));
}

template <typename T>
T receive(Tag tag) {
  eo_message message;
  eo_receive_tag(&message, tag, EO_FOREVER);
  return *static_cast<const T *>(message.data);
}

// Collects words until it is told to stop, then sends back how long they are together.
struct Collector {
  eo_pid report_to;
  static void run(void *argument) {
    const auto *self = static_cast<const Collector *>(argument);
    std::vector<std::string> words;
    for (;;) {
      eo_message message;
      eo_receive(&message, EO_FOREVER);
      if (message.tag == kStop) break;
      words.emplace_back(static_cast<const char *>(message.data), message.size);
    }
    auto total = std::make_unique<std::size_t>(0);
    for (const auto &word : words) *total += word.size();
    send(self->report_to, kLength, *total);
  }
};

struct Speaker {
  eo_pid listener;
  eo_pid test;
  char letter;
  int count;
  static void run(void *argument) {
    const auto *self = static_cast<const Speaker *>(argument);
    const std::string word(static_cast<std::size_t>(self->count), self->letter);
    eo_send(self->listener, kWord, word.data(), word.size());
    eo_send(self->test, kStop, nullptr, 0);
  }
};

void wait_for_stops(int count) {
  for (int i = 0; i < count; i++) {
    eo_message message;
    eo_receive_tag(&message, kStop, EO_FOREVER);
  }
}

} // namespace

// Passes: the test stops the collector when both have spoken.
EO_TEST(all_words_arrive) {
  const eo_pid collector = spawn(Collector::run, Collector{eo_self()});
  spawn(Speaker::run, Speaker{collector, eo_self(), 'a', 3});
  spawn(Speaker::run, Speaker{collector, eo_self(), 'b', 40});
  wait_for_stops(2);
  eo_send(collector, kStop, nullptr, 0);
  const auto total = receive<std::size_t>(kLength);
  eo_assert(total == 43, "expected 43 letters, got %zu", total);
}

// Fails: assertion. It waits for one speaker only, so that the other one may come too late.
EO_TEST(a_word_is_lost) {
  const eo_pid collector = spawn(Collector::run, Collector{eo_self()});
  spawn(Speaker::run, Speaker{collector, eo_self(), 'a', 3});
  spawn(Speaker::run, Speaker{collector, eo_self(), 'b', 40});
  wait_for_stops(1);
  eo_send(collector, kStop, nullptr, 0);
  const auto total = receive<std::size_t>(kLength);
  eo_assert(total == 43, "expected 43 letters, got %zu", total);
}

// Passes: a lambda that captures nothing is a function.
EO_TEST(lambda) {
  spawn([](void *argument) { send(*static_cast<eo_pid *>(argument), kLength, std::size_t{1}); }, eo_self());
  const auto one = receive<std::size_t>(kLength);
  eo_assert(one == 1, "expected 1, got %zu", one);
}
