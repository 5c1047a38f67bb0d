#!/usr/bin/env bash
# `everyorder show` and `everyorder diff`: their output is that of tests/golden/show, no line is wider than it may be, and
# nothing of the program under test takes over the terminal. With EO_UPDATE=1 the golden files are written anew.
# takes: 8
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
unset COLUMNS NO_COLOR
golden=$EO_SRC/tests/golden/show
compare() { # NAME
  if [ -n "${EO_UPDATE-}" ]; then cp out "$golden/$1"; fi
  diff -u "$golden/$1" out || problem "$1 is not as it was"
}
fits() { # WIDTH
  python3 - "$1" out <<'END' || problem "a line is wider than $1"
import sys
for line in open(sys.argv[2], encoding='utf-8'):
    if len(line.rstrip('\n')) > int(sys.argv[1]):
        sys.exit(line)
END
}

ticket() { # PROGRAM TEST [OPTION...]: leaves tickets in t-TEST
  local program=$1 test=$2
  shift 2
  run 1 "$EO_BUILD/examples/$program" --test "$test" --strategy dfs --quiet --tickets "t-$test" "$@"
}
ticket demo look_then_take
ticket bank lost_update --keep-going
ticket findings deadlock_of_two
ticket findings abnormal_exit
ticket findings crash_in_a_child
ticket findings endless_execution --depth 50 --depth-fails # a folded repetition
ticket findings assertion_of_a_choice # choices
ticket door knock_at_an_old_door      # machines
ticket lock after_you_for_ever        # an announcement, a specification, a circle that never ends
ticket findings clean_but_for_two_faults --faults 2
ticket cpp_actors a_word_is_lost # names of C++
run 1 "$EO_BUILD/examples/philosophers" --test all_alike_2 --quiet --tickets t-all_alike_2 # a circle of who waits for whom
cp "$EO_SRC/tests/data/mpi/exchange_head_on.c" exchange.c
"$everyorder" mpicc exchange.c -o exchange || problem 'exchange.c does not compile'
run 1 "$everyorder" mpi -n 2 ./exchange --quiet --tickets t-exchange

# ---- Golden outputs --------------------------------------------------------------------------------------------------------

for width in 60 100 160; do
  for name in look_then_take lost_update deadlock_of_two crash_in_a_child assertion_of_a_choice knock_at_an_old_door \
    after_you_for_ever clean_but_for_two_faults endless_execution a_word_is_lost all_alike_2 exchange; do
    set -- t-$name/*-1.ticket
    run 1 "$everyorder" show "$1" --width $width
    fits $width
    compare "$name-$width.txt"
  done
done
run 1 "$everyorder" show t-look_then_take/*.ticket --width 100 --ascii
LC_ALL=C grep -q '[^ -~]' out && problem '--ascii wrote something else'
compare look_then_take-ascii-100.txt
run 1 "$everyorder" show t-look_then_take/*.ticket --width 100 --colour always
compare look_then_take-colour-100.txt
run 1 "$everyorder" diff t-lost_update/*-1.ticket t-lost_update/*-2.ticket --width 100
compare lost_update-diff-100.txt

# ---- Width, colour, locale -------------------------------------------------------------------------------------------------

for name in t-*/*-1.ticket; do
  for width in 40 47 80 200; do
    run 1 "$everyorder" show "$name" --width $width
    fits $width
  done
done
first=$(echo t-look_then_take/*.ticket)
run 1 "$everyorder" show "$first" --width 60
cp out sixty
COLUMNS=60 run 1 "$everyorder" show "$first"
cmp -s out sixty || problem 'COLUMNS is not respected'
run 1 "$EO_BUILD/examples/demo" show "$first" --width 60
cmp -s out sixty || problem 'the program shows it in another way'
LC_ALL=C run 1 "$everyorder" show "$first"
LC_ALL=C grep -q '[^ -~]' out && problem 'Unicode where the locale has none'
run 1 "$everyorder" show "$first" --colour always
grep -q "$(printf '\033')" out || problem 'no colour'
run 1 "$everyorder" show "$first"
grep -q "$(printf '\033')" out && problem 'colour where there is no terminal'
run 2 "$everyorder" show "$first" --width 10
run 2 "$everyorder" show
run 2 "$everyorder" show nowhere

# ---- diff ------------------------------------------------------------------------------------------------------------------

run 0 "$everyorder" diff "$first" "$first"
says out 'the same: 14 steps'
run 1 "$everyorder" diff t-lost_update/*-1.ticket t-lost_update/*-2.ticket --width 60
fits 60
says out 'the other way round'
run 2 "$everyorder" diff "$first" t-lost_update/*-1.ticket
run 2 "$everyorder" diff "$first"
says err 'two tickets'
run 2 "$everyorder" diff "$first" "$first" "$first"

# The same events in another order, and orders that cannot be told apart: by schedules that are written here.
cat >orders.c <<'END'
#include <everyorder.h>
static void first(void *to) { eo_send(*(eo_pid *)to, 1, NULL, 0); }
static void second(void *to) { eo_send(*(eo_pid *)to, 2, NULL, 0); }
EO_TEST(orders) {
  eo_message message;
  eo_pid self = eo_self();
  eo_spawn(first, &self, sizeof(self));
  eo_spawn(second, &self, sizeof(self));
  eo_receive_tag(&message, 1, EO_FOREVER);
  eo_receive_tag(&message, 2, EO_FOREVER);
  eo_assert(0, "at the end");
}
END
cat >sign.c <<'END'
#include <stdio.h>
#include <xxhash.h>
int main(void) {
  static char bytes[65536];
  size_t size = fread(bytes, 1, sizeof(bytes), stdin);
  printf("%schecksum: %016llx\n", bytes, (unsigned long long)XXH3_64bits(bytes, size));
}
END
libraries=$(pkg-config --libs libxxhash jansson hiredis)
# shellcheck disable=SC2086 # several words
cc -std=c17 -g "-I$EO_SRC/include/everyorder" orders.c -o orders "$EO_BUILD/libeveryorder.a" $libraries -ldw -lelf \
  -pthread -ldl || problem 'orders.c does not compile'
cc sign.c -o sign -lxxhash || problem 'sign.c does not compile'
run 1 ./orders --quiet --tickets t-orders
schedule() { # FILE SCHEDULE
  sed -e '/^  /d' -e '/^checksum:/d' t-orders/*.ticket >unsigned
  printf '  %s\n' "$2" >>unsigned
  ./sign <unsigned >"$1"
}
schedule one 'P1*2 P1.1*2 P1.2*2 P1*2'
schedule two 'P1*2 P1.1 P1.2*2 P1.1 P1*2'   # an exit later
schedule three 'P1*2 P1.2 P1.1*2 P1.2 P1*2' # the messages in the other order
run 1 "$everyorder" diff one two
says out 'steps 1 to 3 are the same'
says out 'dependent steps are in the same order in both'
run 1 "$everyorder" diff one three
says out 'steps 1 to 2 are the same'
says out 'A: P1.1 sends tag 1 to P1 (step 3), then P1.2 sends tag 2 to P1 (step 5)'
says out 'in a different order'

all_well
