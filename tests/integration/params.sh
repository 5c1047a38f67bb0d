#!/usr/bin/env bash
# Tests with parameters: which rows are run, by what names; that each is a test of its own for whatever there is (replay,
# jobs, resume, a cluster's worker, estimates, JSON); eo_param live and in eo_explore; and what is wrong, word for word.
# builds: release
set -uo pipefail

scratch=$(mktemp -d)
redis=
cleanup() {
  if [ -n "$redis" ]; then kill "$redis" 2>/dev/null && wait "$redis" 2>/dev/null; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
cd "$scratch" || exit 1
unset EO_NO_REEXEC
everyorder=$EO_BUILD/everyorder
cache=$EO_BUILD/examples/cache
workers=$EO_BUILD/examples/workers

failures=0
problem() {
  echo "FAILED line ${BASH_LINENO[-2]}: $*" >&2
  failures=$((failures + 1))
}
run() { # STATUS COMMAND...: into out and err
  local expected=$1 status=0
  shift
  timeout -s KILL 100 "$@" >out 2>err </dev/null || status=$?
  [ $status -eq "$expected" ] || problem "exit $status instead of $expected: $*: $(tail -n 3 out err)"
}
says() { # FILE TEXT
  grep -qF -- "$2" "$1" || problem "$1 does not say '$2' but: $(tail -n 12 "$1")"
}
lines() { # NUMBER: of out
  [ "$(wc -l <out)" -eq "$1" ] || problem "$(wc -l <out) lines instead of $1: $(cat out)"
}
compile() { # NAME: from its source, in the way of a user
  local libraries
  libraries=$(pkg-config --libs libxxhash jansson hiredis)
  # shellcheck disable=SC2086 # several words
  cc -std=c17 -g -Wall -Wextra -Wpedantic -Werror "-I$EO_SRC/include/everyorder" "$1.c" -o "$1" \
    "$EO_BUILD/libeveryorder.a" $libraries -ldw -lelf -pthread -ldl || problem "$1 does not compile"
}
# All pairs of what `list` shows of put_then_get: four parameters of two values, 24 pairs.
pairs() { # FILE
  sed -nE 's/^put_then_get\[(.*)\].*/\1/p' "$1" |
    awk -F, '{ for (i = 1; i <= NF; i++) for (j = i + 1; j <= NF; j++) print $i "," $j }' | sort -u | wc -l
}

# ---- Rows -----------------------------------------------------------------------------------------------------------------

run 0 "$everyorder" list "$cache"
[ "$(pairs out)" -eq 24 ] || problem "$(pairs out) pairs: $(cat out)"
cp out first
run 0 "$everyorder" list "$cache" --params pairwise
cmp -s out first || problem 'the default is pairwise'
run 0 "$everyorder" list "$cache" --params 2-way
cmp -s out first || problem '2-way is pairwise'
run 0 "$everyorder" list "$cache" --params 1-way
lines 2
run 0 "$everyorder" list "$cache" --params all
lines 16
run 0 "$everyorder" list "$cache" --params 6-way # of four parameters
lines 16
run 0 "$everyorder" list "$workers" --params all # less what the constraint leaves out
lines 15
run 0 "$everyorder" list "$cache" --test 'put_then_get[write=back,read=store,*' --params all
lines 4
run 0 "$everyorder" list "$cache" --test 'put_then_get[write=back,*]' --params all # brackets are of the name, no set
lines 8

printf 'write\tread\treaders\tvalue\nback\tstore\t1\t1\nthrough\t\t0\t\n' >rows
run 0 "$everyorder" list "$cache" --params rows
lines 2
says out 'put_then_get[write=back,read=store,readers=1,value=1]'
grep -qE '^put_then_get\[write=through,read=(cache|store),readers=0,value=(1|1000000)\]' out || problem "open places: $(cat out)"
# What `everyorder pairwise` writes can be run.
printf 'write: through, back\nread: cache, store\nreaders: 0, 1\nvalue: 1, 1000000\n' >model
"$everyorder" pairwise model --output csv >rows.csv
run 0 "$everyorder" list "$cache" --params rows.csv
[ "$(pairs out)" -eq 24 ] || problem "$(pairs out) pairs: $(cat out)"

# ---- One row as a test ------------------------------------------------------------------------------------------------------

row='put_then_get[write=back,read=store,readers=0,value=1]'
run 1 "$everyorder" test "$cache" --test "$row" --json report.json
says out "in test $row, process P1"
says out "FAIL  $row"
says out 'replay:    everyorder replay everyorder-tickets/put_then_get-row-'
ticket=$(echo everyorder-tickets/put_then_get-row-*.ticket)
grep -qxF 'everyorder ticket 4' "$ticket" || problem 'the version of the ticket'
grep -qxF 'test: put_then_get' "$ticket" || problem 'the test of the ticket'
grep -qxF 'params: write=back\nread=store\nreaders=0\nvalue=1' "$ticket" || problem "no row: $(cat "$ticket")"
jq -e '.tests[0] | .params == {write: "back", read: "store", readers: "0", value: "1"} and
  .test == "'"$row"'" and .verdict == "fail"' report.json >/dev/null || problem "$(cat report.json)"
run 1 "$everyorder" replay "$ticket"
says out 'reproduced: assertion: put 1, got 0 (got == value is false)'
run 2 "$everyorder" replay --program "$workers" "$ticket"

# Every failing row has its own ticket, and each replays its own row.
rm -rf everyorder-tickets
run 1 "$everyorder" test "$cache" --strategy dpor --params all --keep-going --quiet
says out '16 tests: 12 passed, 4 failed; 4 findings'
[ "$(ls everyorder-tickets | wc -l)" -eq 4 ] || problem "$(ls everyorder-tickets)"
for ticket in everyorder-tickets/*; do
  run 1 "$everyorder" replay "$ticket"
  value=$(sed -nE 's/^params: .*value=([0-9]+)$/\1/p' "$ticket")
  says out "reproduced: assertion: put $value, got 0 (got == value is false)"
done
run 0 "$everyorder" test "$workers" --strategy dpor --quiet
run 0 "$everyorder" test "$EO_BUILD/examples/listing_4_2" --json report.json --quiet
jq -e '.tests[0].params == {}' report.json >/dev/null || problem 'a test without parameters has an empty row'

# ---- With everything else ----------------------------------------------------------------------------------------------------

row='sum_of_squares[workers=2,jobs=3,hand out=pull,failing=one]'
run 0 "$everyorder" test "$workers" --test "$row" --strategy dfs --jobs 2 --quiet
says out '60,060 executions, complete'
run 3 "$everyorder" test "$workers" --test sum_of_squares --strategy dfs --resume state --executions 1000 --quiet
run 0 "$everyorder" test "$workers" --test sum_of_squares --strategy dfs --resume state --quiet
says out "ok    $row  60,060 executions"
run 0 "$everyorder" estimate "$workers" --test "$row" --json report.json --time 0.3s
says out "$row"
jq -e '.tests[0].params.jobs == "3"' report.json >/dev/null || problem "$(cat report.json)"
port=$((20000 + RANDOM % 12000))
redis-server --bind 127.0.0.1 --port $port --dir "$scratch" --save '' --appendonly yes >redis.log 2>&1 &
redis=$!
until [ "$(redis-cli -p $port ping 2>/dev/null)" = PONG ]; do sleep 0.1; done
run 2 "$everyorder" test "$workers" --cluster redis://127.0.0.1:$port/rows --quiet
says err 'a job is one test, and these are '
run 0 "$everyorder" test "$workers" --test "$row" --strategy dfs --cluster redis://127.0.0.1:$port/rows --jobs 2 --quiet
says out '60,060 executions, complete'

# ---- Live, and in another framework -------------------------------------------------------------------------------------------

cat >live.c <<'END'
#include <everyorder.h>
#include <stdio.h>
#include <string.h>
static void child(void *argument) { eo_send(*(eo_pid *)argument, (int)eo_param_int("tag"), NULL, 0); }
static void body(void *argument) {
  eo_pid self = eo_self();
  eo_message message;
  (void)argument;
  eo_spawn(child, &self, sizeof(self));
  eo_spawn(child, &self, sizeof(self));
  eo_receive(&message, EO_FOREVER);
  eo_receive(&message, EO_FOREVER);
  eo_assert(message.tag != 2 || eo_param_is("mode", "a"), "tag 2 with mode %s", eo_param("mode"));
}
int main(void) {
  eo_options options = {.model = "tag: 1, -0, 2\nmode: a, b", .name = "rows", .keep_going = 1};
  eo_result result;
  if (!eo_param_set("tag", "0x10") || !eo_param_set("mode", "b") || !eo_param_set("gone", "1")) return 1;
  eo_param_set("gone", NULL);
  printf("live %d\n", eo_live_run(body, NULL));
  eo_explore(body, NULL, NULL, &result);
  printf("set %d %llu %u\n", result.verdict, (unsigned long long)result.executions, result.rows);
  eo_explore(body, NULL, &options, &result);
  printf("rows %d %u %s: %s\n", result.verdict, result.rows, result.row, result.message);
  options.params = "1-way";
  options.model = "tag: 1, 3\nmode: a, b";
  eo_explore(body, NULL, &options, &result);
  printf("clean %d %u %llu\n", result.verdict, result.rows, (unsigned long long)result.executions);
  options.model = "tag 1";
  printf("%d", eo_explore(body, NULL, &options, &result));
  printf(" %s\n", result.message);
  return 0;
}
END
compile live
run 0 ./live
says out 'live 0'
says out 'rows 1 6 tag=2,mode=b: tag 2 with mode b (message.tag != 2 || eo_param_is("mode", "a") is false)'
once=$(sed -nE 's/^set 0 ([0-9]+) 0$/\1/p' out)
says out "clean 0 2 $((2 * once))"
says out '-1 eo_explore:'

# ---- What is wrong -----------------------------------------------------------------------------------------------------------------

cat >wrong.c <<'END'
#include <everyorder.h>
static void child(void *argument) { eo_param(*(char *)argument ? "colour" : "size"); }
EO_TEST_PARAMS(unknown, "size: 1", "mode: a") { eo_spawn(child, "x", 2); }
EO_TEST_PARAMS(number, "size: 1, two, 3.5, 99999999999999999999") { eo_param_int("size"); }
EO_TEST_PARAMS(null, "size: 1") { eo_param(NULL); }
EO_TEST(none) { eo_param("size"); }
EO_TEST(inside) { eo_param_set("size", "1"); }
EO_TEST(body_alone) {}
END
compile wrong
run 1 ./wrong --quiet
says out 'misuse: eo_param: there is no parameter "colour"; there is: size, mode'
says out 'misuse: eo_param_int: the value of size is "two", which is no whole number'
says out 'misuse: eo_param_int: the value of size is "3.5", which is no whole number'
says out 'misuse: eo_param_int: the value of size is "99999999999999999999", which is no whole number'
says out 'ok    number[size=1]'
says out 'misuse: eo_param: the name is NULL'
says out 'misuse: eo_param: there is no parameter "size"; there is none at all: declare them with EO_TEST_PARAMS'
says out 'misuse: eo_param_set: called inside a process'
run 2 ./wrong --test 'number[size=7]'
says err 'size=7 is not a row of the test number: everyorder list shows them'
run 2 ./wrong --test nothing
says err 'no test matches nothing; there is: unknown, number, null, none, inside, body_alone'
run 2 "$cache" --params no-such-file
says err '--params no-such-file: expected pairwise, all, 1-way to 6-way, or a file of rows; there is no such file'
printf 'write\tnothing\nback\t1\n' >rows
run 2 "$cache" --params rows
says err "rows:1:7: 'nothing' is no parameter of the model; the rows are wanted for the test put_then_get"
run 2 "$EO_BUILD/examples/listing_4_2" --params all
says err '--params: no test of this program has parameters; EO_TEST_PARAMS declares them'
run 2 "$workers" --test 'sum_of_squares[workers=1,jobs=1,hand out=push,failing=one]'
says err 'this row is excluded by IF [failing] = "one" THEN [hand out] = "pull" AND [workers] > 1;'
printf 'workers\tfailing\n1\tone\n' >rows
run 2 "$workers" --params rows
says err "row 1 of rows breaks the constraints of the test's parameters"

printf '#include <everyorder.h>\nEO_TEST_PARAMS(bad, "size: 1, 2", "IF [size = 1 THEN [size] = 2;") {}\n' >model.c
compile model
run 2 ./model
grep -qE 'model.c:2: parameters of bad:2:[0-9]+: ' err || problem "no place: $(cat err)"
printf '#include <everyorder.h>\nEO_TEST_PARAMS(bad, "size: 1, 2", "[size] = 1;", "[size] = 2;") {}\n' >model.c
compile model
run 2 ./model
says err 'there is no valid test: these constraints exclude each other: [size] = 1; (line 2) and [size] = 2; (line 3)'

if [ $failures -gt 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
echo 'all as expected'
