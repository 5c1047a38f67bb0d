#!/usr/bin/env bash
# --resume of full and por: a search that is ended again and again, by a limit, a signal or SIGKILL, with one job and with several, comes to
# the report of one that was never ended; so do properties and findings. What is damaged is refused and left.
# timeout: 600
# takes: 5
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

# Which code was reached is not kept of a test that was finished in a piece before.
without_times() { # FILE
  sed -E '/"(elapsed_s|jobs|bytes|options|unreached)":/d; /"unreached_code": \[/,/^      \],?$/d; s,"(whole|pieces)/,"tickets/,' "$1"
}

# Until it is complete, which it is at last without a limit: how far a piece comes is up to the machine.
in_pieces() { # MOST COMMAND...
  local most=$1 status=3 runs=0
  shift
  while [ $status != 0 ] && [ $status != 1 ] && [ $runs -lt "$most" ]; do
    runs=$((runs + 1))
    case $((runs % 3)) in
      1) "$@" --executions $((runs * 12000)) >out 2>&1 && status=0 || status=$? ;;
      2) timeout --preserve-status --signal=INT 0.1 "$@" --jobs 2 >out 2>&1 && status=0 || status=$? ;;
      0) "$@" --time 50ms >out 2>&1 && status=0 || status=$? ;;
    esac
    if [ $status = 1 ] && grep -q 'stopped: ' out; then status=3; fi
  done
  if [ $status != 0 ] && [ $status != 1 ]; then "$@" >out 2>&1; fi
  pieces=$((pieces + runs))
}

pieces=0
compare() { # NAME OPTION...
  local file=$1
  shift
  rm -rf whole pieces_* pieces.json state state.*
  "$everyorder" model "$file" "$@" --keep-going --quiet --json whole.json --tickets whole >whole.out 2>&1
  local status=$?
  in_pieces 60 "$everyorder" model "$file" "$@" --keep-going --quiet --json pieces.json --tickets pieces --resume state
  diff <(without_times whole.json) <(without_times pieces.json) || problem "$file $*: another report in pieces"
  [ -n "$status" ] && [ -z "$(ls state.states-* 2>/dev/null)" ] || problem "$file $*: $(ls state*) is left"
}
compare "$EO_SRC/examples/models/mutual_exclusion.pml" -DN=3
compare "$EO_SRC/examples/models/sliding_window.pml" -DW=3 --delivery async
compare "$EO_SRC/examples/models/leader_election.pml" -DN=6
cat >properties.pml <<'END'
byte a, b;
active proctype A() { do :: a < 90 -> a++ :: a == 90 -> skip od }
active proctype B() { do :: b < 90 -> b++ od }
ltl bounded { [] (a + b <= 180) }
ltl over { <> (b == 91) }
END
compare properties.pml
compare "$EO_SRC/examples/models/readers_writers.pml" -DN=4 --strategy por
compare "$EO_SRC/examples/models/mutual_exclusion.pml" -DN=3 --strategy por --delivery async
compare properties.pml --strategy por
[ $pieces -ge 6 ] || problem "only $pieces pieces"

# Wherever it is ended, which is also between a state's steps of a set and the others: after each number of states.
cat >small.pml <<'END'
byte a, b;
active proctype A() { do :: a < 5 -> a++ :: a == 5 -> a = 3 od }
active proctype B() { do :: b < 3 -> b++ od }
active proctype C() { b == 3 -> assert(a != 4) }
ltl over { <> (a == 6) }
END
for strategy in full por; do
  for property in none over; do
    options=(small.pml --strategy $strategy --property $property --keep-going --quiet --tickets none)
    "$everyorder" model "${options[@]}" --json whole.json >whole.out 2>&1
    states=$(member whole.json states)
    for ((ended = 1; ended < states; ended += 2)); do
      rm -f state state.*
      "$everyorder" model "${options[@]}" --executions $ended --resume state >out 2>&1
      "$everyorder" model "${options[@]}" --json pieces.json --resume state >out 2>&1
      diff <(without_times whole.json) <(without_times pieces.json) || problem "$strategy, $property: ended after $ended"
    done
  done
done

# A search that is killed has what it put away last; --jobs 3 goes on with it.
cat >long.pml <<'END'
byte a, b, c;
active proctype A() { do :: a < 55 -> a++ od }
active proctype B() { do :: b < 55 -> b++ od }
active proctype C() { do :: c < 55 -> c++ od }
active proctype D() { a + b + c == 165 -> assert(c != 55) }
END
rm -rf state*
"$everyorder" model long.pml --keep-going --quiet --json whole.json --tickets whole >whole.out 2>&1
"$everyorder" model long.pml --keep-going --quiet --executions 200000 --resume state --tickets none >out 2>&1
[ $? = 3 ] && [ "$(ls state.states-* | wc -l)" = 1 ] || problem "nothing is put away: $(ls) $(cat out)"
"$everyorder" model long.pml --keep-going --quiet --resume state --tickets none >out 2>&1 &
pid=$!
sleep 0.3
kill -KILL $pid
wait $pid 2>/dev/null
cp state before
file=$(ls state.states-*)
cp "$file" before.states
"$everyorder" model long.pml --keep-going --quiet --json pieces.json --tickets pieces --resume state --jobs 3 >out 2>&1
[ $? = 1 ] || problem "goes on after SIGKILL: $(cat out)"
diff <(without_times whole.json) <(without_times pieces.json) || problem 'another report after SIGKILL'
# What is finished is told again, and not searched.
"$everyorder" model long.pml --keep-going --quiet --json again.json --tickets pieces --resume state >out 2>&1
[ $? = 1 ] || problem "a finished test: $(cat out)"
same "$(member again.json states)" "$(member whole.json states)" 'states of a finished test'
same "$(member again.json complete)" true 'a finished test'

# Damaged, gone, of another model.
cp before state
cp before.states "$file"
printf 'x' | dd of="$file" bs=1 seek=5000 conv=notrunc status=none
run 2 "$everyorder" model long.pml --keep-going --quiet --tickets none --resume state
says out 'is damaged: it cannot be resumed from'
cmp before state || problem 'a damaged search is written over'
rm "$file"
run 2 "$everyorder" model long.pml --keep-going --quiet --tickets none --resume state
says out "cannot read $file, to resume from"
echo '/* */' >>long.pml
run 2 "$everyorder" model long.pml --keep-going --quiet --tickets none --resume state

# What cannot be put away says so.
run 2 "$everyorder" model "$EO_SRC/examples/models/flooding.pml" --strategy bsra --delivery fifo --resume other
says err "strategy 'bsra' does not support --resume"
run 2 "$everyorder" model long.pml --bitstate 1 --resume other
echo "$pieces pieces"
all_well
