#!/usr/bin/env bash
# Chain replication and the switch-and-LED driver: each bug is found by a delaying explorer within a small budget, not in
# the run without delays, and its ticket replays; the correct version is silent at the same budget; both run live.
# builds: release
# timeout: 400
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

protocols=$EO_BUILD/examples/protocols
report() { # MEMBER: of the only test of result.json
  python3 -c "import json, sys; print(json.load(open('result.json'))['tests'][0][sys.argv[1]])" "$1"
}

declare -A silent=()
while read -r name most options; do
  read -ra words <<<"--strategy $options"
  run 1 "$protocols" --test "$name" "${words[@]}" --quiet --tickets "t-$name" --json result.json
  found=$(report states)
  [ "$found" != 0 ] || found=$(report executions)
  [ "$found" -le "$most" ] || problem "$name: $options needs $found instead of at most $most"
  tickets=("t-$name"/*.ticket)
  [ -f "${tickets[0]}" ] || problem "$name: no ticket"
  run 1 "$protocols" replay "${tickets[0]}"

  for explorer in rr rtc prr; do
    run 3 "$protocols" --test "$name" --strategy ses --explorer "$explorer" --delays 0 --quiet --tickets none
  done

  correct=${name%_*}_correct
  [ -z "${silent["$correct $options"]-}" ] || continue
  silent["$correct $options"]=1
  limit=(--delays 1)
  case $options in ss*) limit=(--executions "$most") ;; *custom*) limit=(--delays 2) ;; esac
  run 3 "$protocols" --test "$correct" "${words[@]}" "${limit[@]}" --quiet --tickets none
done <<'BUGS'
chainrep_1 8000 ses --explorer rr
chainrep_2 8000 ses --explorer rtc
chainrep_3 8000 ses --explorer rtc
chainrep_4 8000 ses --explorer rtc
chainrep_5 100 ss --explorer rtc
chainrep_6 100 ss --explorer rr
chainrep_7 8000 ses --explorer rtc
chainrep_8 100 ss --explorer prr
chainrep_9 8000 ses --explorer prr
chainrep_10 30000 ses --explorer custom
osr_1 4000 ses --explorer rtc
osr_2 100 ss --explorer rr
BUGS

# Nobody else finds them so soon: the failure comes too early in what is drawn at random, and too late in what is searched
# from the end.
for name in chainrep_4 osr_2; do
  run 3 "$protocols" --test $name --strategy random --executions 1000 --quiet --tickets none
  run 3 "$protocols" --test $name --strategy pct --executions 1000 --quiet --tickets none
done

libraries=$(pkg-config --libs libxxhash jansson hiredis)
# shellcheck disable=SC2086 # several words
run 0 cc -std=gnu17 -g -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" "-I$EO_SRC/examples/protocols" \
  "$EO_SRC/tests/integration/protocols_live.c" "$EO_SRC"/examples/protocols/*.c -o protocols_live \
  "$EO_BUILD/libeveryorder.a" $libraries -ldw -lelf -pthread -ldl
run 0 ./protocols_live
same "$(cat out)" "20 runs of each" "live"
all_well
