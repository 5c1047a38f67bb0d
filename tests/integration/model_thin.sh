#!/usr/bin/env bash
# --hash-compact and --bitstate: on every model they visit the states that full does, as long as the table is large, find the same
# kinds of errors, and never say that they are complete; what they find replays.
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

compared=0
while IFS=$'\t' read -r _ name stored matched kinds; do
  file=$EO_SRC/tests/data/models/$name
  if [ ! -e "$file" ]; then continue; fi # with options, or an example
  for how in '--hash-compact' '--bitstate 8'; do
    # shellcheck disable=SC2086
    "$everyorder" model "$file" $how --keep-going --quiet --json report.json --tickets none >out 2>&1
    status=$?
    wanted=3
    if [ "$kinds" != - ]; then wanted=1; fi
    [ "$status" = $wanted ] || problem "$name $how: exit code $status: $(cat out)"
    [ "$(member report.json states)" = "$stored" ] || problem "$name $how: $(member report.json states) states instead of $stored"
    [ "$(member report.json transitions)" = $((stored + matched)) ] || problem "$name $how: other transitions"
    found=$(sed -nE 's/^ {10}"kind": "(.*)",?$/\1/p' report.json | sort -u | paste -sd ' ')
    [ "${found:--}" = "$kinds" ] || problem "$name $how: '$found' instead of '$kinds'"
    [ "$(member report.json complete)" = false ] || problem "$name $how: says complete"
    compared=$((compared + 1))
  done
done <"$EO_SRC/tests/data/models/pan.tsv"
[ $compared -ge 90 ] || problem "only $compared runs"

# A table that is far too small: states are taken for others, and the verdict says about how many.
cat >large.pml <<'END'
byte a, b, c;
active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c < 60 -> c++ od }
END
"$everyorder" model large.pml --bitstate 1 --quiet --json report.json --tickets none >out 2>&1
[ $? = 3 ] || problem "a small table: $(cat out)"
visited=$(member report.json states)
[ "$visited" -lt 3997696 ] && [ "$visited" -gt 100000 ] || problem "a small table: $visited states"
grep -qE 'bitstate: an estimated [0-9.]+ % of the states were visited' out || problem "no estimate: $(cat out)"

"$everyorder" model "$EO_SRC/tests/data/models/deadlock.pml" --bitstate 1 --quiet --tickets tickets >out 2>&1
"$everyorder" replay tickets/deadlock-deadlock-1.ticket >out 2>&1
[ $? = 1 ] || problem "does not replay: $(cat out)"
"$everyorder" model "$EO_SRC/tests/data/models/deadlock.pml" --bitstate 1 --property acceptance >out 2>&1
[ $? = 2 ] && grep -q 'judges no properties' out || problem "a property: $(cat out)"
all_well
