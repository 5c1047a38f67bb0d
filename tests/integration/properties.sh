#!/usr/bin/env bash
# usage: properties.sh [pan | record]
# Properties of models beside spin: ltl formulas, never claims, accept and progress labels, with and without fairness. On each
# of tests/data/properties, a property is violated exactly where pan says so; where it is not, never claims and labels take as
# many states as pan stores. Each violation replays. What pan says is kept in tests/data/properties/pan.tsv, by a hash of the
# model's text; pan is built only for what is not there. `pan`: for all of them, and the table must say the same; `record`:
# writes the table.
# takes: 2
# hunt: pan
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

models=$EO_SRC/tests/data/properties
table=$models/pan.tsv
asked=${1-}
compared=0 violated=0 reduced=0
: >said.tsv

ask_pan() { # KEY FILE PROPERTY FAIR: a line of the table, into said.tsv
  local file=$2 property=$3 options=() build=() errors
  case $property in
    acceptance | never_0) options=(-a) ;;
    progress) options=(-l) build=(-DNP) ;;
    *) options=(-a -N "$property") ;;
  esac
  if [ "$4" = fair ]; then options+=(-f); fi
  rm -rf pan*
  spin -o1 -o2 -o3 -a "$file" >spin.out 2>&1
  gcc -O0 -w -DNOREDUCE "${build[@]}" -o pan pan.c
  ./pan "${options[@]}" >pan.out 2>&1
  errors=$(sed -nE 's/.*errors: ([0-9]+).*/\1/p' pan.out)
  if grep -q 'max search depth too small' pan.out; then errors='?'; fi # its fair search does not end on some small models
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(basename "$file")" "$property" "$4" "$errors" \
    "$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' pan.out)" >>said.tsv
}

# por judges it as full does, or refuses it as one that can tell steps apart.
reduced() { # FILE PROPERTY STATUS
  "$everyorder" model "$1" --property "$2" --strategy por --quiet --tickets none >our.out 2>&1
  local status=$?
  if [ $status = 2 ] && grep -q 'depends on the number of steps' our.out; then return; fi
  [ $status = "$3" ] || problem "$1 $2: exit code $status by por instead of $3: $(cat our.out)"
  reduced=$((reduced + 1))
}

compare() { # FILE PROPERTY FAIR: both on this property
  local key errors stored ticket status options=()
  key=$({ cat "$1" && echo "$2 $3"; } | sha256sum | cut -c 1-16)
  if [ -n "$asked" ] || ! grep "^$key" "$table" >>said.tsv; then ask_pan "$key" "$1" "$2" "$3"; fi
  IFS=$'\t' read -r _ _ _ _ errors stored < <(tail -n 1 said.tsv)
  if [ "$3" = fair ]; then options=(--fair); fi
  rm -rf report.json tickets
  "$everyorder" model "$1" --property "$2" "${options[@]}" --quiet --json report.json --tickets tickets >our.out 2>&1
  status=$?
  compared=$((compared + 1))
  # Where an execution ends, pan -f does not look at what holds for ever behind it; that nobody can go on is fair to all.
  if [ "$3" = fair ] && [ "$errors" = 0 ] && grep -q 'the execution ends after step' our.out; then errors=1; fi
  if [ "$errors" = '?' ]; then errors=$status; fi
  [ "$status" = "$errors" ] || problem "$1 $2 $3: exit code $status, and pan has $errors errors: $(cat our.out)"
  if [ "$3" != fair ]; then reduced "$1" "$2" "$status"; fi
  if [ "$status" = 1 ]; then
    violated=$((violated + 1))
    for ticket in tickets/*.ticket; do
      "$everyorder" replay "$ticket" >replay.out 2>&1
      [ $? = 1 ] && grep -q "liveness: property $2 does not hold" replay.out ||
        problem "$1 $2 $3: does not replay: $(tail -n 4 replay.out)"
    done
  else
    case $2 in acceptance | progress | never_0)
      [ "$(member report.json states)" = "$stored" ] || problem "$1 $2 $3: $(member report.json states) states instead of $stored"
      ;;
    esac
  fi
}

for file in "$models"/*.pml; do
  properties=$(sed -nE 's/^ltl ([a-z_]+).*/\1/p' "$file")
  if grep -q '^never' "$file"; then properties=never_0; fi
  for property in ${properties:-acceptance progress}; do
    for fair in any fair; do compare "$file" "$property" $fair; done
  done
done
[ $compared -ge 40 ] || problem "only $compared properties were compared"
[ $reduced -ge 15 ] || problem "only $reduced of them were judged by por"
[ $violated -ge 12 ] || problem "only $violated of them are violated"
if [ "$asked" = record ]; then cp said.tsv "$table"; fi
diff said.tsv "$table" || problem 'pan.tsv is not what pan says of these models: properties.sh record writes it'
echo "$compared properties, $violated violated"
all_well
