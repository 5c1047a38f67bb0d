#include <array>
#include <everyorder.h>
namespace net {
enum class Kind : int { Hello, Bye };
enum { PING = 5, PONG };
constexpr int PLAIN = 40;
struct Base {
  int id;
  virtual ~Base() {}
};
class Derived : public Base {
 protected:
  double load = 1.5;
  static int shared;

 public:
  bool up = true;
};
int Derived::shared = 3;
template <typename T>
struct Box {
  T inside;
};
struct Header {
  int length;
  eo_pid from;
};
struct Nothing {};
class Client : public Nothing {
  Header header_{7, 0};
  int count_ = 4;

 public:
  void run(eo_pid to) {
    header_.from = to;
    eo_send(to, static_cast<int>(Kind::Bye), &header_, sizeof header_);
    eo_send(to, PING, this, sizeof *this);
    eo_send(to, PONG, &count_, sizeof(int));
    eo_send(to, PLAIN, &this->header_, sizeof(Header));
  }
};
} // namespace net
static void child(void *) {
  eo_message m;
  while (eo_receive(&m, EO_FOREVER) && m.tag != 9) continue;
  eo_assert(false, "all have come");
}
template <class T>
static void tell(eo_pid to, int tag, const T &value) {
  eo_send(to, tag, &value, sizeof value);
}
EO_TEST(shown) {
  eo_pid to = eo_spawn(child, nullptr, 0);
  net::Client().run(to);
  net::Derived d{};
  net::Box<short> box{-3};
  std::array<int, 3> three{{1, 2, 3}};
  const net::Header header{1, to}, &reference = header;
  eo_send(to, net::PING, &d, sizeof d);
  eo_send(to, net::PONG, &box, sizeof box);
  eo_send(to, net::PONG, three.data(), sizeof three);
  eo_send(to, net::PING, &reference, sizeof reference);
  eo_send(to, (int)net::Kind::Hello, &header, sizeof(net::Header));
  tell(to, net::PONG, 2.25f);
  tell(to, net::PING, header);
  eo_tell(to, net::PING, net::Header{2, to});
  auto later = [&](int number, net::Header by_value) {
    eo_tell(to, net::PONG, number);
    eo_tell(to, net::PING, by_value);
    eo_send(to, net::PING, &header, sizeof header);
  };
  later(3, header);
  eo_send(to, 9, nullptr, 0);
}
