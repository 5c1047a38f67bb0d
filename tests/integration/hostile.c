/* hostile.c: a program whose names, payloads, messages and files are made to break what shows them: for exports.sh. */
#include <everyorder.h>

#include <string.h>

static const char *const words[] = {
    "<script>alert(1)</script>", "'\"&<>]]>&#0;",         "x;end\n%%{init:{}}%%",
    "\033]0;taken\a\033[2J",     "\xff\xfe bad \xc3\x28", "[a](javascript:b) {0}",
    "\\N\\\"];rm -rf[label=\"",  "# SKIP not ok 1",       "\xef\xbf\xbe\xef\xbf\xbf\xe2\x80\xae",
    "...\n---\n1..0 \t'",
};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

/* What they say of themselves is their name; what they send is that again, in full. */
static void speaker(void *argument) {
  int which;
  memcpy(&which, argument, sizeof(which));
  eo_message message;
  eo_receive_tag(&message, 1, EO_FOREVER);
#line 7 "odd dir/we<ir>d&\"#{x}%s;.c"
  eo_register(words[which], eo_self());
  eo_send(message.from, 2, words[which], strlen(words[which]) + 1);
}

EO_TEST(hostile) {
  eo_message message;
  for (int i = 0; i < WORDS; i++) {
    const eo_pid pid = eo_spawn(speaker, &i, sizeof(i));
    eo_send(pid, 1, words[i], strlen(words[i]));
    eo_receive_tag(&message, 2, EO_FOREVER);
  }
  const eo_pid last = eo_spawn(speaker, &(int){0}, sizeof(int));
  eo_link(last);
  eo_assert(0, "%s%s%s%s%s%s%s%s%s%s", words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
            words[8], words[9]);
}

EO_TEST(hostile_deadlock) {
  eo_message message;
  eo_register(words[0], eo_self());
  eo_send(eo_self(), 5, words[1], strlen(words[1]));
  eo_receive_tag(&message, 7, EO_FOREVER);
}

EO_TEST(harmless) { eo_send(eo_self(), 1, NULL, 0); }
