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
[ "$(grep -c 'a forbidden sequence' out)" -eq 1 ] || fail "that is one sequence"
expect 1 'reproduced: forbidden sequence: P1.1 receive from P1.4 -> P1.1 receive from P1.3 and' "$everyorder" replay \
  everyorder-tickets/program_m-forbidden-sequence-1.ticket
expect 1 'P1.1     receives MESSAGE from P1.4' "$everyorder" show everyorder-tickets/program_m-forbidden-sequence-1.ticket
# The same steps with another pattern, which they do not match: the checksum made anew.
python3 - <<'EOF'
import ctypes, re
text = open('everyorder-tickets/program_m-forbidden-sequence-1.ticket').read()
body = re.sub(r'(?m)^message: .*$', 'message: P1.1 receive -> P1.2 receive', text[:text.rindex('checksum:')])
xxh3 = ctypes.CDLL('libxxhash.so.0').XXH3_64bits
xxh3.restype, xxh3.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t]
open('other.ticket', 'w').write('%schecksum: %016x\n' % (body, xxh3(body.encode(), len(body))))
EOF
expect 3 'not reproduced: the ticket says forbidden sequence: P1.1 receive -> P1.2 receive' "$everyorder" replay other.ticket
expect 1 '1 finding in 1 execution, stopped' "$everyorder" reach "$program" --never 'P1.1 receive || P1.2 receive'
expect 1 '1 finding in 4 executions' "$everyorder" reach "$program" --no-tree --keep-going --never 'P1.1 receive || P1.2 receive'
[ "$(grep -c 'a forbidden sequence' out)" -eq 4 ] || fail "those are all"
expect 0 "no sequence is ever 'P1.1 receive -> P1.2 receive'" "$everyorder" reach "$program" --never \
  'P1.1 receive -> P1.2 receive'
expect 1 'a forbidden sequence' "$everyorder" reach "$program" --never 'no P1.1 receive timeout'
expect 1 'a forbidden sequence' "$everyorder" reach "$program" --never 'P1 spawn to P1.6 -> P1.6 send tag 0 to P1.2 -> P1.2 exit'
expect 0 'no sequence is ever' "$everyorder" reach "$program" --never '* send tag 1'

# With a tag, and under a delivery where receives choose.
expect 1 'forbidden sequence: P1.1 receive tag 0 from P1.4' "$everyorder" reach "$program" --delivery causal --never \
  'P1.1 receive tag 0 from P1.4 -> P1.1 receive from P1.3'
for ticket in everyorder-tickets/*; do expect 1 'reproduced: forbidden sequence' "$everyorder" replay "$ticket"; done

# ---- Models --------------------------------------------------------------------

model=$EO_SRC/examples/models/sliding_window.pml
expect 0 '8 executions, complete' "$everyorder" reach "$model" --delivery fifo --save w.tree
expect 0 '8 sequences, 8 before; 0 appeared, 0 disappeared' "$everyorder" reach "$model" --delivery fifo --against w.tree
expect 1 "the options were '--delivery fifo' before, and are '-DW=3 --delivery fifo'" "$everyorder" reach "$model" -DW=3 \
  --delivery fifo --against w.tree
expect 1 'forbidden sequence: P0:sender send tag 2 -> P1:* receive' "$everyorder" reach "$model" --delivery fifo --never \
  'P0:sender send tag 2 -> P1:* receive'
expect 1 'reproduced: forbidden sequence: P0:sender send tag 2 -> P1:* receive' "$everyorder" replay \
  everyorder-tickets/sliding_window-forbidden-sequence-1.ticket
expect 0 'no sequence is ever' "$everyorder" reach "$model" --delivery fifo --never 'P1:receiver receive tag 1'
expect 0 'complete' "$everyorder" reach "$EO_SRC/examples/models/leader_election.pml" -DN=2 --delivery fifo --save l.tree
grep -q 'send tag first to' l.tree || fail "l.tree does not name an mtype: $(head -n 8 l.tree)"
expect 2 '--delivery async, fifo or causal' "$everyorder" reach "$model"
expect 2 '--leaks is for programs' "$everyorder" reach "$model" --delivery fifo --leaks
expect 2 '-D is for models' "$everyorder" reach "$program" -DW=3
expect 2 '-D is for models' "$program" reach -DW=3
expect 2 'none.pml: cannot be read' "$everyorder" reach none.pml --delivery fifo
cat >two.pml <<'EOF'
chan c = [2] of {byte};
active [2] proctype taker() { byte x; c?x }
active proctype giver() { c!1; c!2 }
EOF
expect 2 "several processes receive from channel 'c'" "$everyorder" reach two.pml --delivery fifo
expect 2 'everyorder model explores it as it is, without --delivery' "$everyorder" reach two.pml --delivery fifo

# ---- What is refused -----------------------------------------------------------

expect 2 "pattern, column 22: expected an operation" "$everyorder" reach "$program" --never 'P1.1 receive || P1.2 receve'
expect 2 'pattern, column 13: expected a number' "$everyorder" reach "$program" --never 'P1 send tag x'
expect 2 'the pattern has 1100 characters: at most 1023' "$everyorder" reach "$program" --never "$(printf '%1100s' x)"
expect 2 'no-such.tree: No such file' "$everyorder" reach "$program" --against no-such.tree
head -n 9 m.tree >cut.tree
expect 2 'is it cut off?' "$everyorder" reach "$program" --against cut.tree
expect 2 'no tree file of this version' "$everyorder" reach "$program" --against "$program"
expect 2 'keeps no tree' "$everyorder" reach "$program" --no-tree --save m.tree
expect 2 'is an option of test' "$everyorder" reach "$program" --strategy dfs
expect 2 'does not use --no-tree: that is an option of reach' "$everyorder" test "$program" --no-tree
expect 2 'not an option of this command' "$everyorder" test "$program" --strategy reach --save m.tree
expect 2 'cannot be split' "$everyorder" reach "$program" --jobs 2
[ -s m.tree ] || fail "the tree was overwritten"

# Executions that are given up: few, and the same ones each time.
for row in 'resource_3_3 385 0' 'resource_4_4 15071 102' 'store_3_3_3 - 0'; do
  read -r test executions pruned <<<"$row"
  "$EO_BUILD/examples/actors" reach --test "$test" --quiet --json report.json >/dev/null || fail "$test fails"
  grep -qF "\"pruned\": $pruned," report.json || fail "$test: $(grep '"pruned"' report.json), not $pruned"
  [ "$executions" = - ] || grep -qF "\"executions\": $executions," report.json || fail "$test: not $executions executions"
done

# Races that are none of messages: never silently complete.
expect 3 'which are no messages: --strategy dpor does that' "$everyorder" reach "$EO_BUILD/examples/reg_server" \
  --test l6_12_concurrent_stops
echo "all as expected"
