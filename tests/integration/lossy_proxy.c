/* lossy_proxy.c: usage: lossy_proxy PORT PERCENT
 * Passes connections on to PORT of this machine and loses so many of 100 replies: half of them silently, as a bad network
 * does, the others by breaking the connection; the request has been carried out each time. Prints the port it listens on;
 * at SIGTERM how many replies there were and how many it lost. */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 500 };

typedef struct link {
  int client, server;
  int fresh; /* a request was passed on, and nothing of its reply has been seen */
  int mute;  /* what the server says is thrown away */
} link_;

static link_ links[MOST];
static int count, listener;
static uint16_t port;
static unsigned percent, replies, lost;
static uint64_t state = 88172645463325252u;
static volatile sig_atomic_t ended;

static void end(int number) {
  (void)number;
  ended = 1;
}

static unsigned draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state % 100);
}

static struct sockaddr_in here(uint16_t number) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(number)};
}

static void hang_up(int i) {
  struct linger now = {1, 0};
  setsockopt(links[i].client, SOL_SOCKET, SO_LINGER, &now, sizeof now); /* a reset, not an orderly end */
  close(links[i].client);
  close(links[i].server);
  links[i] = links[--count];
}

static void welcome(void) {
  struct sockaddr_in address = here(port);
  int client = accept(listener, NULL, NULL), server = socket(AF_INET, SOCK_STREAM, 0);
  if (client < 0 || count == MOST || connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
    close(client);
    close(server);
    return;
  }
  links[count++] = (link_){client, server, 0, 0};
}

static int send_all(int file, const char *bytes, ssize_t size) {
  while (size > 0) {
    ssize_t sent = send(file, bytes, (size_t)size, MSG_NOSIGNAL);
    if (sent <= 0) return 0;
    bytes += sent;
    size -= sent;
  }
  return 1;
}

/* False: it was hung up. */
static int pass_request(int i) {
  char buffer[65536];
  ssize_t size = recv(links[i].client, buffer, sizeof buffer, 0);
  if (size <= 0 || !send_all(links[i].server, buffer, size)) {
    hang_up(i);
    return 0;
  }
  links[i].fresh = 1;
  return 1;
}

static void pass_reply(int i) {
  char buffer[65536];
  ssize_t size = recv(links[i].server, buffer, sizeof buffer, 0);
  if (size <= 0) {
    hang_up(i);
    return;
  }
  if (links[i].fresh) {
    unsigned drawn = draw();
    links[i].fresh = 0;
    replies++;
    lost += drawn < percent;
    if (drawn < percent / 2) {
      hang_up(i);
      return;
    }
    if (drawn < percent) links[i].mute = 1;
  }
  if (!links[i].mute && !send_all(links[i].client, buffer, size)) hang_up(i);
}

int main(int argc, char **argv) {
  struct sockaddr_in address = here(0);
  socklen_t size = sizeof address;
  struct pollfd files[2 * MOST + 1];
  if (argc != 3) return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  port = (uint16_t)atoi(argv[1]);
  percent = (unsigned)atoi(argv[2]);
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 100) != 0) return 1;
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("%u\n", ntohs(address.sin_port));
  fflush(stdout);
  while (!ended) {
    int watched = count;
    for (int i = 0; i < watched; i++) {
      files[2 * i] = (struct pollfd){links[i].client, POLLIN, 0};
      files[2 * i + 1] = (struct pollfd){links[i].server, POLLIN, 0};
    }
    files[2 * watched] = (struct pollfd){listener, POLLIN, 0};
    if (poll(files, 2 * (nfds_t)watched + 1, 200) < 0) continue; /* now and then: was it ended? */
    for (int i = watched - 1; i >= 0; i--) /* from the end: hanging up moves the last one, which has had its turn */
      if ((!files[2 * i].revents || pass_request(i)) && files[2 * i + 1].revents) pass_reply(i);
    if (files[2 * watched].revents) welcome();
  }
  printf("%u replies, %u of them lost\n", replies, lost);
  return 0;
}
