#!/usr/bin/env bash
# What is written goes where it should and nowhere else, whatever was planted there and whatever tests are called; what is
# read never makes a command wait; and a ticket never has anything run but the program it was made with.
# timeout: 120
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cat >fails.c <<'PROGRAM'
#include "order_of.h"

EO_TEST(fails) { eo_assert(order_of(2) != 21, "the wrong way round"); }
PROGRAM
compile fails.c fails
quickly() { # STATUS COMMAND...: and not a hang
  local expected=$1
  shift
  run "$expected" timeout 20 "$@"
}

echo 'a ticket names its program'
quickly 1 ./fails --tickets tickets
ticket=$(echo tickets/*.ticket)
quickly 1 "$everyorder" replay "$ticket"
cat >seal.c <<'SEAL'
#include <stdio.h>
#include <xxhash.h>
int main(void) { /* all but the last line of a ticket, and that line */
  static char text[1 << 20];
  size_t size = fread(text, 1, sizeof text, stdin);
  fwrite(text, 1, size, stdout);
  printf("checksum: %016llx\n", (unsigned long long)XXH3_64bits(text, size));
}
SEAL
cc seal.c -lxxhash -o seal || problem 'seal.c'
cat >evil.c <<'EVIL'
#include <stdio.h>
__attribute__((constructor)) static void run(void) { fclose(fopen("evil.was.run", "w")); }
int main(void) { return 0; }
EVIL
cc evil.c -o evil
cat evil fails >evil.fails # a program that is made to look like one of ours
chmod +x evil.fails
made_up() { # PROGRAM COMMAND TEXT
  head -n -1 "$ticket" | sed "s|^program: .*|program: $1|" | ./seal >made.ticket
  local more=()
  case $2 in
    diff) more=("$ticket") ;;
    export) more=(--format dot) ;;
    report) more=(-o report.html) ;;
  esac
  quickly 2 "$everyorder" "$2" made.ticket "${more[@]}"
  says err "$3"
  [ ! -e evil.was.run ] || problem "$2 of a ticket that names $1: it was run"
  rm -f evil.was.run
}
for command in replay show diff export report; do
  made_up ./evil.fails $command 'ticket was made for another build of ./evil.fails'
  made_up ./evil $command 'is not an Everyorder test program'
  made_up /bin/sh $command 'is not an Everyorder test program'
done
mkfifo pipe
made_up ./pipe replay 'cannot be executed'
made_up --help replay 'does not exist'
made_up /dev/zero replay 'cannot be executed'
made_up . replay 'is a folder'
quickly 1 "$everyorder" replay "$ticket" --program ./fails
cp fails ./-fails # neither an option of ours nor of those we run
quickly 1 "$everyorder" test --tickets dash -- -fails
quickly 1 "$everyorder" replay dash/*.ticket
if command -v gdb >/dev/null; then
  mkdir ./-folder
  cp fails ./-folder
  quickly 1 ./-folder/fails --tickets folder
  sed 's|^program: ./-folder|program: -folder|' folder/*.ticket | head -n -1 | ./seal >made.ticket
  timeout 60 "$everyorder" replay made.ticket --gdb >out 2>&1 <<<quit
  says out 'Just before step'
fi

echo 'pipes'
for command in replay show; do
  quickly 2 "$everyorder" $command pipe
  says err 'it is not a regular file'
done
for option in --json --junit --tap --sarif --report; do
  quickly 1 ./fails --tickets none $option pipe # the finding weighs more
  says err 'it is a pipe that nobody reads'
done
quickly 2 ./fails --tickets none --live pipe # nothing was run
says err 'it is a pipe that nobody reads'
timeout 20 cat pipe >got &
reader=$!
quickly 1 ./fails --tickets none --json pipe
wait $reader
grep -q '"verdict": "fail"' got || problem 'nothing came out of the pipe'

echo 'links that were planted'
echo precious >victim
mkdir planted
kind=assertion
for name in "fails-$kind-1.ticket" "fails-$kind-1.ticket.tmp" "fails-$kind-1.ticket.new"; do ln -s ../victim "planted/$name"; done
for name in r.json.tmp r.json.new r.html.tmp r.xml.tmp; do ln -s victim $name; done
quickly 1 ./fails --tickets planted --json r.json --report r.html --junit r.xml
same "$(cat victim)" precious 'what links lead to'
[ ! -L "planted/fails-$kind-1.ticket" ] || problem 'the ticket is a link'
quickly 1 "$everyorder" replay "planted/fails-$kind-1.ticket"
for name in r.json r.html r.xml; do [ -s $name ] || problem "$name is missing"; done
ln -s victim link.json # a link that the user names is followed
quickly 1 ./fails --tickets none --json link.json
[ -L link.json ] || problem 'the link is gone'
grep -q '"verdict": "fail"' victim || problem 'the link was not followed'
same "$(find . -name '.everyorder.*')" '' 'temporary files'

echo 'tests with strange names'
cat >names.c <<'PROGRAM'
#include <everyorder.h>
#include <stdio.h>
#include <string.h>

static void fails(void *argument) {
  (void)argument;
  eo_assert(0, "always");
}
int main(int argc, char **argv) {
  static char large[300];
  memset(large, 'x', sizeof large - 1);
  for (int i = 1; i <= argc; i++) {
    eo_options options = {.name = i < argc ? argv[i] : large, .tickets = "strange/tickets"};
    eo_result result;
    eo_explore(fails, NULL, &options, &result);
    puts(result.ticket);
  }
}
PROGRAM
compile names.c names
mkdir strange
names=(../../escaped ../.. .. . /etc/passwd ./x .hidden -rf 'a b' $'new\nline' a/../../../b '')
quickly 0 ./names "${names[@]}"
same "$(find strange/tickets -type f | wc -l)" $((${#names[@]} + 1)) 'tickets in their folder'
same "$(find . -name '*.ticket' -newer names.c -not -path './strange/tickets/*')" '' 'tickets elsewhere'
same "$(find strange/tickets -name '.*.ticket')" '' 'hidden tickets'

all_well
