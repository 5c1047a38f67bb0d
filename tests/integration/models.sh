#!/usr/bin/env bash
# usage: models.sh [pan | record]
# Models beside spin: on every model, --strategy full stores exactly as many states, and matches as many, as pan built
# without its optimisations and reductions, and finds the same kinds of errors; each finding replays; and the strategies
# that run executions find the same. What pan says of a model is kept in tests/data/models/pan.tsv, by a hash of the model's
# text and options; pan is built only for what is not there. `pan`: for all of them, and the table must say the same;
# `record`: writes the table.
# timeout: 600
# takes: 10
# hunt: pan
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

table=$EO_SRC/tests/data/models/pan.tsv
asked=${1-}
compared=0
: >said.tsv
# What pan calls its errors, in our words: each kind once.
pan_kinds() {
  sed -nE -e 's/^pan:[0-9]+: invalid end state.*/deadlock/p' -e 's/^pan:[0-9]+: assertion violated - invalid array.*/crash/p' \
    -e 's/^pan:[0-9]+: assertion violated.*/assertion/p' -e 's/^pan:[0-9]+: event_trace error.*/assertion/p' pan.out | sort -u | paste -sd ' '
}
our_kinds() { sed -nE 's/^ {10}"kind": "(.*)",?$/\1/p' report.json | sort -u | paste -sd ' '; }

ask_pan() { # KEY FILE OPTION...: a line of the table, into said.tsv
  local key=$1 file=$2 stored matched kinds
  shift 2
  rm -rf pan*
  if ! spin -o1 -o2 -o3 "$@" -a "$file" >spin.out 2>&1 || ! [ -s pan.c ]; then
    problem "$file $*: spin refuses it: $(head -n 1 spin.out)"
    return 1
  fi
  gcc -O0 -w -DNOREDUCE -DVECTORSZ=4096 -o pan pan.c
  ./pan -c0 -m1000000 >pan.out 2>&1
  stored=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' pan.out)
  matched=$(sed -nE 's/^ *([0-9.e+]+) states, matched.*/\1/p' pan.out)
  kinds=$(pan_kinds)
  printf '%s\t%s\t%s\t%s\t%s\n' "$key" "$(basename "$file")${*:+ $*}" "$stored" "$matched" "${kinds:--}" >>said.tsv
}

compare() { # FILE OPTION...: both on this model
  local file=$1 key stored matched kinds
  shift
  rm -rf report.json tickets
  key=$({ cat "$file" $(sed -nE "s|^ *#include \"(.*)\".*|$(dirname "$file")/\1|p" "$file") && echo "$@"; } | sha256sum | cut -c 1-16)
  if [ -n "$asked" ] || ! grep "^$key" "$table" >>said.tsv; then ask_pan "$key" "$file" "$@" || return; fi
  IFS=$'\t' read -r _ _ stored matched kinds < <(tail -n 1 said.tsv)
  kinds=${kinds#-}
  "$everyorder" model "$file" "$@" --keep-going --quiet --json report.json --tickets tickets >our.out 2>&1
  local status=$?
  compared=$((compared + 1))
  [ "$(member report.json states)" = "$stored" ] || problem "$file $*: $(member report.json states) states instead of $stored"
  [ "$(member report.json transitions)" = "$((stored + matched))" ] ||
    problem "$file $*: $(member report.json transitions) arrivals instead of $((stored + matched))"
  [ "$(our_kinds)" = "$kinds" ] || problem "$file $*: '$(our_kinds)' instead of '$kinds'"
  [ "$status" = "$([ -n "$kinds" ] && echo 1 || echo 0)" ] || problem "$file $*: exit code $status"
  [ "$(member report.json complete)" = true ] || problem "$file $*: not complete"
  local ticket
  for ticket in tickets/*.ticket; do
    [ -e "$ticket" ] || continue
    "$everyorder" replay "$ticket" >replay.out 2>&1
    [ $? = 1 ] || problem "$file $*: $ticket does not replay: $(tail -n 4 replay.out)"
  done
}

for file in "$EO_SRC"/tests/data/models/*.pml "$EO_SRC"/examples/models/*.pml; do compare "$file"; done
compare "$EO_SRC/tests/data/models/leader.pml" -DN=4
compare "$EO_SRC/examples/models/leader_election.pml" -DN=4
compare "$EO_SRC/examples/models/token_passing.pml" -DN=4 -DROUNDS=2
compare "$EO_SRC/examples/models/flooding.pml" -DN=4
compare "$EO_SRC/examples/models/mutual_exclusion.pml" -DN=3
compare "$EO_SRC/examples/models/sliding_window.pml" -DW=3
compare "$EO_SRC/examples/models/readers_writers.pml" -DN=4
[ $compared -ge 40 ] || problem "only $compared models were compared"
if [ "$asked" = record ]; then cp said.tsv "$table"; fi
diff said.tsv "$table" || problem 'pan.tsv is not what pan says of these models: models.sh record writes it'

# Strategies that run executions find what full finds, on models without circles; one, and several workers.
for model in assertion atomic_rendezvous empty_queue_end init_values structs; do
  file=$EO_SRC/tests/data/models/$model.pml
  "$everyorder" model "$file" --keep-going --quiet --json report.json --tickets none >/dev/null 2>&1
  wanted=$(our_kinds)
  for how in "dfs" "dfs --jobs 2" "preempt" "random --executions 3000" "preempt --cache unlimited" ses ss pct pos surw; do
    # shellcheck disable=SC2086
    "$everyorder" model "$file" --strategy $how --keep-going --quiet --json report.json --tickets tickets >our.out 2>&1
    [ "$(our_kinds)" = "$wanted" ] || problem "$model --strategy $how: '$(our_kinds)' instead of '$wanted': $(tail -n 3 our.out)"
  done
done

# Deliveries: what can overtake what; and where each port has one sender, fifo and causal are what channels are.
delivered() { # MODEL DELIVERY EXIT
  local status=0
  "$everyorder" model "$EO_SRC/tests/data/models/$1.pml" --delivery "$2" --quiet --tickets none >our.out 2>&1 || status=$?
  [ $status = "$3" ] || problem "$1 --delivery $2: exit code $status instead of $3: $(tail -n 3 our.out)"
}
delivered causal_chain causal 0
delivered causal_chain fifo 1
delivered causal_chain async 1
for how in fifo causal async; do delivered causal_concurrent $how 1; done
for model in leader_election token_passing sliding_window; do
  for how in mailbox fifo causal; do
    "$everyorder" model "$EO_SRC/examples/models/$model.pml" --delivery $how --quiet --tickets none --json report.json >/dev/null 2>&1
    [ $how = mailbox ] && wanted=$(member report.json states)
    [ "$(member report.json states)" = "$wanted" ] || problem "$model --delivery $how: $(member report.json states) states instead of $wanted"
  done
done

# One execution of each kind finds what full finds, and so do several workers.
for model in figure_2_1 flooding leader_election mutual_exclusion sliding_window token_passing; do
  for delivery in fifo causal async; do
    file=$EO_SRC/examples/models/$model.pml
    "$everyorder" model "$file" --delivery $delivery --keep-going --quiet --json report.json --tickets none >/dev/null 2>&1
    wanted=$(our_kinds) executions=
    for how in dpor "dpor --jobs 2" reach "reach --no-tree"; do
      # shellcheck disable=SC2086
      "$everyorder" model "$file" --delivery $delivery --strategy $how --keep-going --quiet --json report.json \
        --tickets none >our.out 2>&1
      [ "$(our_kinds)" = "$wanted" ] || problem "$model $delivery $how: '$(our_kinds)' instead of '$wanted': $(tail -n 3 our.out)"
      [ "$(member report.json executions)" = "${executions:=$(member report.json executions)}" ] ||
        problem "$model $delivery $how: $(member report.json executions) executions instead of $executions"
    done
  done
done

# What nothing comes to, as pan says it.
unreached() { # MODEL
  (
    mkdir -p "unreached_$1" && cd "unreached_$1" && cp "$EO_SRC/examples/models/$1.pml" m.pml &&
      spin -o1 -o2 -o3 -a m.pml >/dev/null && gcc -O0 -DNOREDUCE -w -o pan pan.c && ./pan
  ) | sed -nE 's/^unreached in proctype (.*)/name \1/p; s/^\t[^ ]*:([0-9]+), state [0-9]+, "-end-"$/end/p; s/^\t[^ ]*:([0-9]+), state.*/\1/p' |
    awk '/^name/ { name = $2; next } /^end/ { print "the end of " name; next } { print name " line " $1 }' | sort -u
}
unreached_code() {
  sed -nE 's/^ {10}"process": "(.*)",$/\1/p; s/^ {10}"(line|end)": ([a-z0-9]+),?$/\2/p' report.json | paste - - - |
    awk '{ print $3 == "true" ? "the end of " $1 : $1 " line " $2 }'
}
for model in flooding leader_election token_passing mutual_exclusion sliding_window; do
  "$everyorder" model "$EO_SRC/examples/models/$model.pml" --quiet --tickets none --json report.json >/dev/null 2>&1
  ours=$(member report.json unreached | sed 's/, /\n/g' | sort -u)
  [ "$ours" = "$(unreached $model)" ] || problem "$model: never reached: $ours, pan: $(unreached $model)"
  listed=$(unreached_code | sort -u)
  [ "$listed" = "$(unreached $model)" ] || problem "$model: unreached_code: $listed, pan: $(unreached $model)"
done

# All of it is in the JSON, however much there is.
{
  echo 'active proctype P() { byte x;'
  for line in $(seq 2 41); do echo "if :: x == $line -> x = 0 :: else fi;"; done
  echo '}'
} >unreached.pml
"$everyorder" model unreached.pml --tickets none --json report.json >our.out 2>&1
grep -q 'never reached: P line 2, .* and 32 more' our.out || problem "unreached in words: $(cat our.out)"
[ "$(unreached_code | sort -u | wc -l)" = 40 ] || problem "unreached_code: $(unreached_code)"
[ "$(grep -c '"statement": "x = 0"' report.json)" = 40 ] || problem "statements that are not reached: $(grep statement report.json)"

echo "$compared models compared with pan"
all_well
