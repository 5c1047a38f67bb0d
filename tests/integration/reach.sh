#!/usr/bin/env bash
# usage: reach.sh
# everyorder reach: the tree of program M, its comparison after a change, patterns, and what is refused.
# builds: release asan
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
everyorder=$EO_BUILD/everyorder
program=$EO_BUILD/examples/program_m

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
expect() { # STATUS TEXT COMMAND...: that status, and that text in the output
  local status=$1 text=$2 got=0
  shift 2
  "$@" >out 2>&1 || got=$?
  [ "$got" -eq "$status" ] || { cat out >&2; fail "$*: status $got instead of $status"; }
  grep -qF -e "$text" out || { cat out >&2; fail "$*: no '$text'"; }
}

# ---- The tree ------------------------------------------------------------------

expect 0 '4 executions, complete' "$everyorder" reach "$program" --save m.tree
diff "$EO_SRC/tests/golden/program_m.tree" m.tree || fail "the tree of program M is another one"
expect 0 'program_m: 4 sequences, 4 before; 0 appeared, 0 disappeared' "$everyorder" reach "$program" --against m.tree
expect 0 '0 appeared, 0 disappeared' "$program" reach --against m.tree

# As if there had been other sequences before.
cp "$EO_SRC/tests/golden/program_m_before.tree" less.tree
expect 1 'program_m: a sequence appeared:' "$everyorder" reach "$program" --against less.tree
expect 1 '1 appeared, 0 disappeared' "$everyorder" reach "$program" --against less.tree
sed -e 's/^2 r P1.1 receive tag 0 from P1.4 #1; P1.2 receive tag 0 from P1.6 #1/&; P1.7 receive timeout/' m.tree >other.tree
expect 1 '1 appeared, 1 disappeared' "$everyorder" reach "$program" --against other.tree
sed -e 's/^test .*/test another/' m.tree >another.tree
expect 0 'is not in another.tree' "$everyorder" reach "$program" --against another.tree
expect 0 "the options were ''" "$everyorder" reach "$program" --delivery async --against m.tree

# ---- Patterns ------------------------------------------------------------------

expect 1 'P1.1 receive tag 0 from P1.4 #1' "$everyorder" reach "$program" --never \
  'P1.1 receive from P1.4 -> P1.1 receive from P1.3 and P1.2 receive from P1.5 -> P1.2 receive from P1.6'
[ "$(grep -c 'must never be' out)" -eq 1 ] || fail "that is one sequence"
expect 1 'a sequence that must never be' "$everyorder" reach "$program" --no-tree --never 'P1.1 receive || P1.2 receive'
[ "$(grep -c 'must never be' out)" -eq 4 ] || fail "those are all"
expect 0 "no sequence is ever 'P1.1 receive -> P1.2 receive'" "$everyorder" reach "$program" --never \
  'P1.1 receive -> P1.2 receive'
expect 1 'must never be' "$everyorder" reach "$program" --never 'no P1.1 receive timeout'
expect 1 'must never be' "$everyorder" reach "$program" --never 'P1 spawn to P1.6 -> P1.6 send tag 0 to P1.2 -> P1.2 exit'
expect 0 'no sequence is ever' "$everyorder" reach "$program" --never '* send tag 1'

# ---- What is refused -----------------------------------------------------------

expect 2 "pattern, column 22: expected an operation" "$everyorder" reach "$program" --never 'P1.1 receive || P1.2 receve'
expect 2 'pattern, column 13: expected a number' "$everyorder" reach "$program" --never 'P1 send tag x'
expect 2 'no-such.tree: No such file' "$everyorder" reach "$program" --against no-such.tree
head -n 9 m.tree >cut.tree
expect 2 'is it cut off?' "$everyorder" reach "$program" --against cut.tree
expect 2 'no tree file of this version' "$everyorder" reach "$program" --against "$program"
expect 2 'keeps no tree' "$everyorder" reach "$program" --no-tree --save m.tree
expect 2 'is for test' "$everyorder" reach "$program" --strategy dfs
expect 2 'does not heed --no-tree: that is for reach' "$everyorder" test "$program" --no-tree
expect 2 'not an option of this command' "$everyorder" test "$program" --strategy reach --save m.tree
expect 2 'cannot be split' "$everyorder" reach "$program" --jobs 2
[ -s m.tree ] || fail "the tree was overwritten"

# Races that are none of messages: never silently complete.
expect 3 'which are no messages: --strategy dpor does that' "$everyorder" reach "$EO_BUILD/examples/reg_server" \
  --test l6_12_concurrent_stops
echo "all as expected"
