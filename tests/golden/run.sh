#!/usr/bin/env bash
# usage: tests/golden/run.sh [PATTERN...]
# Runs every row of counts.tsv (with patterns: those that contain one of them) and compares what comes out, exactly;
# then replays each finding. Of the rows that are not slow, every tenth is run by other builds than release as well;
# with patterns all of them. A ticket that is the same as one of before is not replayed again. Rows that count states of programs, read out of bounds or are
# C++ are for the release build.
# EO_GOLDEN_EACH=N: every N-th row of those that are not slow, in any build.
# timeout: 900
# takes: 45
# hunt: hunt
#
# Columns: program (or the path of a model, NAME.pml), test, strategy, options (-: none), executions, states, findings (distinct ones), complete (all, bound,
# sample, stopped), verdict, kind (of the findings, each once, in the order they were made; -: none), slow (yes, no, hunt: only
# with patterns, as in `make hunt`),
# failing (executions that fail).
# EO_GOLDEN names another table.
set -uo pipefail

table=${EO_GOLDEN:-$EO_SRC/tests/golden/counts.tsv}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset EO_NO_REEXEC

release=false each=10
if [ "$(basename "$EO_BUILD")" = build ]; then release=true each=1; fi
each=${EO_GOLDEN_EACH-$each}
if [ $# -gt 0 ]; then each=1; fi

rows=0 number=0 skipped=0 failures=0 replayed=0
problem() {
  echo "FAILED $row: $*"
  failures=$((failures + 1))
}

# The members of a report stand one to a line; those of a test are indented by 6, those of a finding by 10. Read at once:
# a process for each member would take longer than most rows.
declare -A of_test=()
kinds=() tickets=()
read_report() {
  local indent name value
  of_test=() kinds=() tickets=()
  while IFS=$'\t' read -r indent name value; do
    case $indent$name in
      10kind) kinds+=("$value") ;;
      10ticket) tickets+=("$value") ;;
      *) of_test[$name]=$value ;;
    esac
  done < <(sed -nE 's/^ {6}"(complete|stopped|covered|executions|states|failures|verdict)": "?(.*[^",])?"?,?$/6\t\1\t\2/p
    s/^ {10}"(kind|ticket)": "?(.*[^",])?"?,?$/10\t\1\t\2/p' report.json)
}

compare() { # NAME EXPECTED GOT
  [ "$2" = "$3" ] || problem "$1 is '$3' instead of '$2'"
}

# In the words of the table: was everything run, or why not?
covered() {
  if [ "${of_test[complete]}" = true ]; then
    echo all
  elif [ -n "${of_test[stopped]-}" ]; then
    echo stopped
  elif [[ ${of_test[covered]-} == *'drawn at random'* ]]; then
    echo sample
  else
    echo bound
  fi
}

kinds_once() {
  local kind all=
  for kind in "${kinds[@]}"; do
    if [[ ,$all, != *",$kind,"* ]]; then all+=${all:+,}$kind; fi
  done
  echo "${all:--}"
}

exit_code() { # VERDICT
  case $1 in
    pass) echo 0 ;;
    fail) echo 1 ;;
    incomplete) echo 3 ;;
    *) echo 2 ;;
  esac
}

# Every ticket gives the same finding again. A program that is not deterministic cannot promise that, but says why.
declare -A replayed_before=()
replay() { # KIND TICKET
  local status=0 expected=1 word='^reproduced: ' text
  text=$(<"$2")
  if [ -n "${replayed_before["$text"]-}" ]; then return; fi
  replayed_before["$text"]=1
  if [ "$1" = nondeterminism ]; then expected=3 word='not reproduced'; fi
  "$EO_BUILD/everyorder" replay "$2" >replayed 2>&1 </dev/null || status=$?
  replayed=$((replayed + 1))
  if [ $status -ne $expected ] || ! grep -q "$word" replayed; then
    problem "replay of $2: exit $status"
    tail -n 5 replayed | sed 's/^/    /'
  fi
}

run_row() { # PROGRAM TEST STRATEGY OPTIONS EXECUTIONS STATES FINDINGS COMPLETE VERDICT KIND SLOW FAILING
  local status=0 words=() i
  if [ "$4" != - ]; then read -ra words <<<"$4"; fi
  rm -rf report.json tickets
  local what=(test "$EO_BUILD/examples/$1" --test "$2")
  if [[ $1 == *.pml ]]; then what=(model "$EO_SRC/$1"); fi
  "$EO_BUILD/everyorder" "${what[@]}" --strategy "$3" "${words[@]}" --quiet \
    --tickets tickets --json report.json >out 2>&1 </dev/null || status=$?
  if [ ! -f report.json ]; then
    problem "exit $status, no report: $(tail -n 1 out)"
    return
  fi
  read_report
  compare 'exit code' "$(exit_code "$9")" "$status"
  compare executions "$5" "${of_test[executions]}"
  compare states "$6" "${of_test[states]}"
  compare findings "$7" "${#kinds[@]}"
  compare failing "${12}" "${of_test[failures]}"
  compare complete "$8" "$(covered)"
  compare verdict "$9" "${of_test[verdict]}"
  compare kind "${10}" "$(kinds_once)"
  [ "${#tickets[@]}" -eq "${#kinds[@]}" ] || problem "${#tickets[@]} tickets for ${#kinds[@]} findings"
  for i in "${!tickets[@]}"; do replay "${kinds[i]}" "${tickets[i]}"; done
}

wanted() { # ROW PATTERN...
  local line=$1 pattern
  shift
  if [ $# -eq 0 ]; then return 0; fi
  for pattern in "$@"; do
    if [[ $line == *$pattern* ]]; then return 0; fi
  done
  return 1
}

header=$'program\ttest\tstrategy\toptions\texecutions\tstates\tfindings\tcomplete\tverdict\tkind\tslow\tfailing'
while IFS= read -r line <&3; do
  if [ "$line" = "$header" ] || [ -z "$line" ] || [[ $line == '#'* ]]; then continue; fi
  IFS=$'\t' read -ra columns <<<"$line"
  row="${columns[*]:0:4}"
  if [ ${#columns[@]} -ne 12 ]; then
    problem "${#columns[@]} columns"
    continue
  fi
  if ! wanted "$line" "$@"; then continue; fi
  number=$((number + 1))
  # What a process has on its stack is a part of its state, and the compiler's affair. An access out of bounds is what a
  # sanitizer stops first. What C++ allocates beside a sanitizer and the shared library is not captured, which is a doubt.
  differs=false
  if [ "${columns[5]}" != 0 ] && [[ ${columns[0]} != *.pml ]]; then differs=true; fi
  if [ "${columns[9]}" = 'out of bounds' ] || [ -f "$EO_SRC/examples/${columns[0]}.cc" ]; then differs=true; fi
  slow=false
  if [ "${columns[10]}" = yes ] && { ! $release || [ "$each" -gt 1 ]; }; then slow=true; fi
  if [ "${columns[10]}" = hunt ] && [ $# -eq 0 ]; then slow=true; fi
  if $slow || { ! $release && $differs; } || [ $((number % each)) -ne 0 ]; then
    skipped=$((skipped + 1))
    continue
  fi
  rows=$((rows + 1))
  run_row "${columns[@]}"
done 3<"$table"

echo "$rows rows, $replayed findings replayed, $skipped rows left out, $failures differences"
[ $rows -gt 0 ] && [ $failures -eq 0 ]
