#!/usr/bin/env bash
# usage: hostile.sh [all | PATTERN]
# Programs that do everything a program can do to the process it runs in, explored with a time limit and a short watchdog:
# each run ends within its limit plus two seconds with the truth (hostile.tsv), a report that can be read, and no process
# left behind. Each is explored by dfs or by dpor, in turns, as what is held does not know of strategies; all: by both.
# serial: it measures time
# hunt: all
# takes: 25
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

tests=$EO_SRC/tests/integration
libraries="$EO_BUILD/libeveryorder.a -lxxhash -ljansson -lhiredis -ldw -lpthread -ldl"
for name in processes signals files memory calls; do
  # shellcheck disable=SC2086 # words
  gcc -std=gnu17 -g -O1 -w "-I$EO_SRC/include/everyorder" "$tests/hostile_$name.c" -o "hostile_$name" $libraries || exit 1
done
gcc -std=gnu17 -O1 -Wall "$tests/hostile_bare.c" -o hostile_bare || exit 1
# shellcheck disable=SC2086 # words
g++ -std=c++17 -g -O1 -w "-I$EO_SRC/include/everyorder" "$tests/hostile_objects.cc" -o hostile_objects $libraries || exit 1

# Each test of these programs is a row, and each row a test.
for name in processes signals files memory calls objects; do
  ./hostile_$name list | sed -n "s/^\([a-z_A-Z0-9]*\) .*/$name \1/p"
done | sort >declared
sed -n 's/^\([a-z]*\)\t\([a-zA-Z0-9_]*\)\t.*/\1 \2/p' "$tests/hostile.tsv" | sort -u >listed
cmp -s declared listed || problem "not in both: $(comm -3 declared listed | tr '\n\t' ', ')"

python3 "$tests/hostile.py" "$tests/hostile.tsv" . "${1-}" || problem 'see above'
all_well
