#!/usr/bin/env bash
# Reducing searches of models from the command line: figure 2.6 of the dissertation, findings whose tickets replay, the
# same kinds of findings as full on every model that a search takes, and what is refused in which words.
# takes: 10
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

kinds() { sed -nE 's/^ {10}"kind": "(.*)",?$/\1/p' report.json | sort -u | tr '\n' ' '; }
search() { # FILE OPTION...
  local file=$1
  shift
  rm -rf tickets report.json
  timeout 60 "$everyorder" model "$file" "$@" --keep-going --quiet --json report.json --tickets tickets >out 2>&1
}
replay_all() { # WORDS
  local ticket
  for ticket in tickets/*.ticket; do
    [ -e "$ticket" ] || continue
    "$everyorder" replay "$ticket" >replay.out 2>&1
    [ $? = 1 ] || problem "$1: $ticket does not replay: $(tail -n 4 replay.out)"
  done
}

# Figure 2.6, its causal part, and section 2.6 on sleep sets: states, and edges (arrivals but for the first).
graph() { # STATES EDGES OPTION...
  local states=$1 edges=$2
  shift 2
  search "$EO_SRC/examples/models/figure_2_1.pml" --strategy bsra "$@"
  [ "$(member report.json states) $(($(member report.json transitions) - 1))" = "$states $edges" ] ||
    problem "figure 2.1 $*: $(member report.json states) states, $(($(member report.json transitions) - 1)) edges instead of $states, $edges"
}
graph 6 7 --delivery async
graph 6 7 --delivery fifo
graph 5 5 --delivery causal
graph 5 5 --delivery async --sleep

# por takes every model, and finds what full finds.
compared=0
for file in "$EO_SRC"/tests/data/models/*.pml "$EO_SRC"/examples/models/*.pml; do
  search "$file" --strategy full
  wanted=$(kinds) states=$(member report.json states)
  search "$file" --strategy por
  [ "$(kinds)" = "$wanted" ] || problem "por $file: '$(kinds)' instead of '$wanted'"
  [ "$(member report.json states)" -le "$states" ] || problem "por $file: $(member report.json states) states, full has $states"
  replay_all "por $file"
  compared=$((compared + 1))
done
[ $compared -ge 40 ] || problem "only $compared models"

# The others take systems of EFSMs.
for file in "$EO_SRC"/examples/models/*.pml "$EO_SRC"/tests/data/models/causal_*.pml; do
  for delivery in async fifo causal; do
    search "$file" --strategy full --delivery $delivery
    wanted=$(kinds)
    for how in por sra bsra "bsra --sleep"; do
      # shellcheck disable=SC2086
      search "$file" --strategy $how --delivery $delivery
      [ "$(kinds)" = "$wanted" ] || problem "$how $file $delivery: '$(kinds)' instead of '$wanted': $(head -n 1 out)"
      replay_all "$how $file $delivery"
    done
  done
done

# An assertion over a variable that all share fails only in one order: with --visible it is found.
cat >shared.pml <<'MODEL'
byte inside;
chan go[2] = [1] of {byte};
active proctype starter() { go[1]!1 }
active proctype one() { byte x; go[_pid]?x; inside++; inside-- }
active proctype two() { inside++; assert(inside == 1); inside-- }
MODEL
search shared.pml --strategy bsra --delivery fifo --visible inside
[ "$(kinds)" = 'assertion ' ] || problem "--visible: '$(kinds)'"
replay_all --visible
grep -q 'and visible variables' report.json || problem "coverage: $(member report.json covered)"

# Processes that init starts, one by one or in an atomic sequence, are as good as active ones; who receives from a channel may
# be said by parameters.
cat >one_by_one.pml <<'MODEL'
chan a = [2] of {byte};
proctype P(byte n) { a!n }
proctype Q() { byte x, y; a?x; a?y; assert(x < y); a?x }
init { run P(1); run P(2); run Q() }
MODEL
sed 's/init {\(.*\)}/init { atomic {\1} }/' one_by_one.pml >at_once.pml
cat >parameters.pml <<'MODEL'
chan a[2] = [2] of {byte};
proctype P(chan in; chan out; byte n) { byte x; out!n; if :: n == 1 -> in?1 :: else -> in?x fi }
init { byte i; atomic { for (i : 0 .. 1) { run P(a[i], a[1 - i], i + 1) } } }
MODEL
cp "$EO_SRC/tests/data/models/leader.pml" .
for file in one_by_one at_once parameters leader; do
  for delivery in async fifo causal; do
    search $file.pml --strategy full --delivery $delivery
    wanted=$(kinds)
    [ -n "$wanted" ] || [ $file = leader ] || problem "$file $delivery: full finds nothing"
    for strategy in por sra bsra 'bsra --sleep' reach dpor; do
      # shellcheck disable=SC2086
      search $file.pml --strategy $strategy --delivery $delivery
      [ "$(kinds)" = "$wanted" ] || problem "$strategy $file $delivery: '$(kinds)' instead of '$wanted': $(head -n 1 out)"
      replay_all "$strategy $file $delivery"
    done
  done
done

refused() { # WORDS OPTION... <MODEL
  local words=$1 status=0
  shift
  cat >m.pml
  "$everyorder" model m.pml --quiet --tickets none "$@" >out 2>&1 || status=$?
  [ $status = 2 ] || problem "exit code $status instead of 2: $words"
  grep -qF -- "$words" out || problem "'$words' is missing: $(head -n 1 out)"
}
port='chan c = [1] of {byte}; byte g;'
refused 'needs to know how messages come' --strategy bsra <<<"$port init { skip }"
refused "share variable 'g'" --strategy bsra --delivery fifo <<<"$port active [2] proctype P() { g = 1; g == 0 }"
refused 'm.pml:1: it looks into a channel' --strategy sra --delivery fifo <<<"$port init { nempty(c) }"
refused 'm.pml:1: timeout' --strategy bsra --delivery fifo <<<"$port init { timeout }"
refused 'm.pml:1: else beside a receive' --strategy bsra --delivery fifo <<<"$port init { if :: c?g :: else fi }"
refused 'm.pml:1: an atomic sequence' --strategy bsra --delivery fifo <<<"$port init { atomic { c!1; c!2 } }"
refused 'm.pml:1: the processes use _pid' --strategy bsra --delivery fifo \
  <<<"$port proctype P() { c!_pid } init { run P(); run P() }"
refused 'm.pml:1: outside of an atomic sequence' --strategy dpor --delivery fifo \
  <<<"$port proctype P() { c!_pid } init { run P(); run P() }"
refused 'm.pml:1: several processes receive' --strategy full --delivery fifo \
  <<<"$port proctype P(chan in) { in?1 } init { atomic { run P(c); run P(c) } }"
refused 'm.pml:1: a process that is started not at the beginning' --strategy reach --delivery fifo \
  <<<"$port proctype P() { byte x; c?x } init { if :: g = 1 :: c!1 fi; run P() }"
refused '--visible h: there is no global variable' --strategy bsra --delivery fifo --visible h <<<"$port init { g = 1 }"
refused 'does not use --sleep' --strategy por --sleep <<<"$port init { g = 1 }"

# A model without bound is stopped, and says so.
cat >endless.pml <<'MODEL'
chan c = [1] of {byte};
active proctype P() { do :: c!1 od }
active proctype Q() { byte x; end: do :: c?x od }
MODEL
status=0
"$everyorder" model endless.pml --strategy bsra --delivery fifo --quiet --tickets none >out 2>&1 || status=$?
[ $status = 3 ] && grep -q 'the number of its messages has no bound' out || problem "endless: $status, $(head -n 1 out)"

all_well
