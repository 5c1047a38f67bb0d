#!/usr/bin/env bash
# The commands of the cluster: submitting, attaching, workers that wait, pause, resume, cancel, drop, Ctrl-C; and what they
# say to bad input, which never harms a job that runs.
# timeout: 120
set -uo pipefail
# shellcheck source=tests/integration/cluster_tools.bash
. "$EO_SRC/tests/integration/cluster_tools.bash"

compile "$EO_SRC/tests/integration/cluster_orders.c" orders
slow_outlet
start_redis
redis=redis://127.0.0.1:$port

run() { # STATUS COMMAND...: output in `out`
  local expected=$1 status=0
  shift
  "$@" >out 2>&1 </dev/null || status=$?
  same $status "$expected" "$*: exit code"
}
says() { # TEXT
  grep -qF -- "$1" out || problem "it does not say: $1"
}
test_() { # NAME OPTION...
  local name=$1
  shift
  timeout 60 "$everyorder" test ./orders --strategy dfs --cluster "$redis/$name" --tickets none "$@"
}
field() { # NAME FIELD
  redis-cli -p "$port" hget "everyorder:$1:job" "$2"
}
background() { # COMMAND...: in a process group of its own
  setsid "$@" >background.log 2>&1 </dev/null &
  started+=($!)
}

echo 'submit and work in one go; a job that has ended is told again'
run 1 test_ done --test orders --keep-going --jobs 2 --json result.json
./orders --test orders --strategy dfs --keep-going --tickets none --quiet --json expected.json >/dev/null 2>&1
equal 'with --jobs 2'
run 1 test_ done --test orders --keep-going --json result.json
says 'the job is there already'
equal 'told again'
run 0 "$everyorder" worker --join "$redis/done" --program ./orders # nothing to do
run 0 "$everyorder" cluster status "$redis/done"
says 'done: finished'
says 'test        orders --strategy dfs --keep-going'
says "executions  $(member expected.json executions | sed 's/...$/,&/'), "
run 0 "$everyorder" cluster status "$redis"
says 'done: finished, '

echo 'the limits of a local run'
for options in '--executions 500' '--strategy random --executions 300 --seed 4' '--time 1ms' '--strategy preempt --bound 1'; do
  # shellcheck disable=SC2086 # several words
  ./orders --test clean --strategy dfs $options --tickets none --quiet --json expected.json >/dev/null 2>&1
  status=$?
  # shellcheck disable=SC2086
  run $status test_ limits --test clean $options --jobs 2 --json result.json
  if [ "$options" = '--time 1ms' ]; then
    same "$(member result.json stopped)" "$(member expected.json stopped)" "$options"
  else
    equal "$options"
  fi
  run 0 "$everyorder" cluster drop "$redis/limits"
done
run 1 test_ first --test orders --jobs 1 --json result.json # stops at the first finding
same "$(member result.json stopped)" 'at the first finding' stopped

echo 'a program that kills its workers'
./orders --test deadly --strategy dfs --keep-going --tickets none --quiet --json expected.json >/dev/null 2>&1
run 1 test_ deadly --test deadly --keep-going --jobs 2 --json result.json
equal deadly
same "$(grep -c '"kind": "crash"' result.json)" 1 crashes

echo 'a name in use'
run 2 test_ done --test clean
says 'the name done is in use for another test (test orders --strategy dfs --keep-going)'
run 2 test_ done --test orders
says 'the name done is in use for other options'
cp orders other
printf x >>other
run 2 "$everyorder" test ./other --strategy dfs --cluster "$redis/done" --test orders --keep-going --tickets none
says 'the name done is in use for another program, or another build of it'

echo 'one test at a time'
run 2 test_ several
says 'a job is one test, and these are 5: '

echo 'Ctrl-C leaves the job running'
SLOW=2000 background "$everyorder" worker --wait --join "$redis/left" --program ./orders
setsid "$everyorder" test ./orders --strategy dfs --cluster "$redis/left" --test clean --tickets none >coordinator.log 2>&1 </dev/null &
coordinator=$!
started+=("$coordinator")
until [ "$(field left executions)" -gt 0 ] 2>/dev/null; do sleep 0.05; done
kill -INT -- "-$coordinator"
status=0
wait $coordinator || status=$?
same $status 3 'exit code after Ctrl-C'
cp coordinator.log out
says 'no longer watched; the job goes on'
says "to end it: everyorder cluster cancel $redis/left"

echo 'a worker of another build, of another version, without the program: refused, and the job is not harmed'
run 2 "$everyorder" worker --join "$redis/left" --program ./other
says 'is not the one the job is for'
redis-cli -p "$port" hset everyorder:left:job version 0.0.1 >/dev/null
run 2 "$everyorder" worker --join "$redis/left" --program ./orders
says 'the job is for Everyorder 0.0.1, and this is'
redis-cli -p "$port" hset everyorder:left:job version "$("$everyorder" --version | sed 's/.* //')" >/dev/null
run 2 "$everyorder" worker --join "$redis/left" --program ./nothing
says 'nothing'
run 2 "$everyorder" worker --join "$redis/left" --program /bin/true
says 'not an Everyorder test program'
run 2 "$everyorder" worker --join "$redis/left"
says 'worker needs --program PATH'
mkdir -p programs
cp /bin/true other programs
run 2 "$everyorder" worker --join "$redis/left" --program programs
says 'no program in programs is the program of the job'
before=$(field left executions)
same "$(field left ended)" '' 'ended'

echo 'pause, resume, cancel, drop'
run 0 "$everyorder" cluster pause "$redis/left"
run 0 "$everyorder" cluster status "$redis/left"
says 'left: paused'
until [ "$(redis-cli -p "$port" zcard "$(key_of left busy)")" = 0 ]; do sleep 0.05; done # claims are handed back
paused=$(field left executions)
[ "$paused" -ge "$before" ] || problem "$paused executions after $before"
sleep 0.5
same "$(field left executions)" "$paused" 'executions while it is paused'
run 0 "$everyorder" cluster resume "$redis/left"
until [ "$(field left executions)" -gt "$paused" ]; do sleep 0.05; done
run 0 "$everyorder" cluster cancel "$redis/left"
run 3 test_ left --test clean --json result.json
same "$(member result.json stopped)" cancelled stopped
run 0 "$everyorder" cluster drop "$redis/left"
same "$(redis-cli -p "$port" --scan --pattern 'everyorder:left:*')" '' 'keys that are left'

echo 'a worker with a folder of programs takes the one of the job'
cp orders programs/anything
setsid "$everyorder" test ./orders --strategy dfs --cluster "$redis/folder" --test few --tickets none >coordinator.log 2>&1 </dev/null &
coordinator=$!
started+=("$coordinator")
until [ "$(field folder id)" != '' ]; do sleep 0.05; done
run 0 "$everyorder" worker --join "$redis/folder" --program programs
says 'programs/anything: 1 process at work on folder, test few'
status=0
wait $coordinator || status=$?
same $status 0 'exit code of the job'

echo 'a worker that waits takes the next job of the name'
run 0 test_ left --test few
run 0 "$everyorder" cluster drop "$redis/left"

echo 'bad input'
run 2 "$everyorder" worker --join "$redis/nothing" --program ./orders
says 'there is no job nothing'
for action in status pause resume cancel drop; do
  run 2 "$everyorder" cluster $action "$redis/nothing"
  says 'there is no job nothing'
done
run 2 "$everyorder" cluster stauts "$redis/done"
says 'expected status, pause, resume, cancel or drop'
run 2 "$everyorder" cluster
says 'cluster needs ACTION'
run 2 "$everyorder" cluster status
says 'cluster needs ADDRESS'
run 2 "$everyorder" cluster drop "$redis"
says 'names no job'
run 2 "$everyorder" worker
says 'worker needs --join'
run 2 test_ '' --test few
says 'names no job'
run 2 test_ x --test few --resume file
says '--resume cannot be used with --cluster'
run 2 test_ 'a b' --test few
says "the name of the job, 'a b'"
run 2 "$everyorder" test ./orders --cluster localhost --test few
says "'localhost' is not the address of a cluster"
run 2 "$everyorder" test ./orders --cluster "redis://127.0.0.1:1/x" --test few
says 'redis://127.0.0.1:1/x cannot be reached: Connection refused'
run 2 "$everyorder" cluster status "rediss://127.0.0.1:$port/x"
says 'rediss:// needs TLS'
says 'doc/cluster.md'
run 2 "$everyorder" test ./orders --cluster "redis://me:secret@127.0.0.1:$port/x" --test few
says 'wrong user or password'
if grep -q secret out; then problem 'the password is shown'; fi
redis-cli -p "$port" config set requirepass secret >/dev/null
run 2 "$everyorder" cluster status "$redis/done"
says 'wants a password'
run 0 "$everyorder" cluster status "redis://:secret@127.0.0.1:$port/done"
run 0 "$everyorder" test ./orders --cluster "redis://:secret@127.0.0.1:$port/auth" --test few --jobs 1 --tickets none
REDISCLI_AUTH=secret redis-cli -p "$port" config set requirepass '' >/dev/null

echo 'a Redis that keeps no file'
run 0 test_ warn --test few --jobs 1
if grep -q warning out; then problem 'a warning without a reason'; fi
redis-cli -p "$port" config set appendonly no >/dev/null
run 0 test_ warning --test few --jobs 1
says 'warning: this Redis keeps no append-only file'

all_well
