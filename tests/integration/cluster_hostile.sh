#!/usr/bin/env bash
# usage: cluster_hostile.sh [ROUNDS]
# What Redis holds is not trusted: keys that get lost while workers are at work, at random times, records that name other
# programs, plug-ins or files, fragments that nobody has written, users without all rights. The result is that of an
# undisturbed run, or an error for everybody; and a worker runs nothing but what its own command line names.
# serial: it counts on workers getting some processor time
# hunt: 5
# takes: 7
set -uo pipefail
# shellcheck source=tests/integration/cluster_tools.bash
. "$EO_SRC/tests/integration/cluster_tools.bash"

rounds=${1:-1}
RANDOM=7
compile "$EO_SRC/tests/integration/cluster_orders.c" orders
slow_outlet
start_redis --maxmemory-policy noeviction
redis=redis://127.0.0.1:$port

run() { # STATUS COMMAND...: output in `out`
  local expected=$1 status=0
  shift
  timeout 60 "$@" >out 2>&1 </dev/null || status=$?
  same $status "$expected" "$*: exit code"
}
says() { # TEXT
  grep -qF -- "$1" out || problem "it does not say: $1"
}
job() { # NAME OPTION...: a job in the background that waits for workers
  local name=$1
  shift
  setsid "$everyorder" test ./orders --strategy dfs --cluster "$redis/$name" --tickets none --quiet --json result.json "$@" \
    >coordinator.log 2>&1 </dev/null &
  coordinator=$!
  started+=("$coordinator")
  until [ "$(redis-cli -p "$port" hget "everyorder:$name:job" id)" != '' ]; do sleep 0.02; done
}
drop() { # NAME: which may be in any state
  "$everyorder" cluster drop "$redis/$1" >/dev/null 2>&1
  if kill -0 "$coordinator" 2>/dev/null; then kill -KILL -- "-$coordinator"; fi
  wait "$coordinator" 2>/dev/null
}
hset() { # JOB FIELD VALUE
  redis-cli -p "$port" hset "everyorder:$1:job" "$2" "$3" >/dev/null
}

echo 'keys that get lost'
arguments=(--test orders --keep-going)
./orders "${arguments[@]}" --strategy dfs --tickets none --quiet --json expected.json >out 2>&1
keys=(fragments idle busy claims deadlines held holding tries waiting workers last ran found findings job epochs)
lost=0 untouched=0
for _ in $(seq "$rounds"); do
  for key in "${keys[@]}"; do
    rm -f result.json
    job lost "${arguments[@]}" --budget 200ms --grace 60s
    workers=()
    for number in 1 2; do
      SLOW=40 setsid "$everyorder" worker --program ./orders --join "$redis/lost" --quiet >"worker$number.log" 2>&1 </dev/null &
      workers+=($!)
      started+=($!)
    done
    sleep "0.$((RANDOM % 5))$((RANDOM % 9 + 1))"
    case $key in
      job) whole=everyorder:lost:job ;;
      epochs) whole=everyorder:epochs ;;
      *) whole=$(key_of lost "$key") ;;
    esac
    deleted=$(redis-cli -p "$port" del "$whole")
    status=0
    timeout 60 tail --pid="$coordinator" -f /dev/null || problem "$key: the watcher does not end"
    wait "$coordinator" || status=$?
    for worker in "${workers[@]}"; do timeout 30 tail --pid="$worker" -f /dev/null || problem "$key: a worker does not end"; done
    if [ "$deleted" = 0 ]; then # there was nothing in it then
      untouched=$((untouched + 1))
      same $status 1 "$key was empty: exit code"
      equal "$key was empty"
    else
      lost=$((lost + 1))
      # What was found before stands, so that the watcher ends with 1; that the rest is lost is told beside it.
      if [ $status -eq 2 ] || grep -qs 'is damaged' result.json; then
        grep -qs 'is damaged' coordinator.log result.json ||
          problem "$key: the watcher does not say why: $(tail -n 3 coordinator.log)"
        [[ $status == [12] ]] || problem "$key: exit code $status"
        timeout 20 "$everyorder" cluster status "$redis/lost" >out 2>&1
        same $? 2 "$key: cluster status"
        for number in 1 2; do
          wait "${workers[number - 1]}"
          same $? 2 "$key: exit code of a worker"
          grep -q 'is damaged' "worker$number.log" || problem "$key: a worker does not say why: $(cat "worker$number.log")"
        done
      else # it had ended
        same $status 1 "$key: exit code"
        equal "$key"
      fi
    fi
    drop lost
    redis-cli -p "$port" flushall >/dev/null
  done
done
echo "    $lost times a key was lost, $untouched times there was none"
[ $lost -gt 8 ] || problem "hardly a key was ever there"

echo 'a Redis that throws keys away'
redis-cli -p "$port" config set maxmemory-policy allkeys-random >/dev/null
run 2 "$everyorder" test ./orders --cluster "$redis/policy" --test few --tickets none
says 'set it to noeviction'
redis-cli -p "$port" config set maxmemory-policy noeviction >/dev/null
job policy --test clean
redis-cli -p "$port" config set maxmemory-policy volatile-lru >/dev/null
run 2 "$everyorder" worker --program ./orders --join "$redis/policy"
says 'set it to noeviction'
timeout 30 tail --pid="$coordinator" -f /dev/null || problem 'the watcher does not notice'
wait "$coordinator"
same $? 2 'the watcher, when the setting changes: exit code'
grep -q noeviction coordinator.log || problem "the watcher says: $(cat coordinator.log)"
redis-cli -p "$port" config set maxmemory-policy noeviction >/dev/null
drop policy

echo 'an error of a worker reaches who watches'
job broken --test clean
redis-cli -p "$port" hset "$(key_of broken fragments)" 1 'nobody has written this' >/dev/null
run 2 "$everyorder" worker --program ./orders --join "$redis/broken"
says 'the saved work has format'
status=0
wait "$coordinator" || status=$?
same $status 2 'the watcher: exit code'
grep -q 'worker .*: the saved work has format' coordinator.log || problem "the watcher says: $(cat coordinator.log)"
same "$(member result.json verdict)" error 'the verdict'
run 0 "$everyorder" cluster status "$redis/broken"
says 'broken: failed, a worker failed'
says ': the saved work has format'
drop broken

echo 'who watches does not wait for workers that have failed'
job alone --test clean
"$everyorder" cluster pause "$redis/alone"
kill -KILL -- "-$coordinator"
wait "$coordinator" 2>/dev/null
job alone --test clean --jobs 1
until child=$(pgrep -P "$coordinator"); do sleep 0.05; done
sleep 0.5
kill -KILL "$child"
timeout 30 tail --pid="$coordinator" -f /dev/null || problem 'the watcher waits for nobody'
wait "$coordinator"
same $? 2 'the watcher: exit code'
grep -q 'the workers that were started here have failed' coordinator.log || problem "the watcher says: $(cat coordinator.log)"
drop alone

echo 'records that would take over a terminal'
job escapes --test few
hset escapes program $'\033]0;owned\007/bin/sh'
hset escapes stopped $'\033[2J'
run 0 "$everyorder" cluster status "$redis/escapes"
says '\x1b]0;owned'
if grep -q $'\033' out; then problem 'an escape sequence is printed'; fi
hset escapes version $'\033[2J'
run 2 "$everyorder" worker --program ./orders --join "$redis/escapes"
says 'the job is for Everyorder \x1b[2J'
drop escapes

echo 'a user without all rights'
rights=(~everyorder:\* +evalsha '+script|load' +info +@hash +@list +@set +@sortedset +exists +unlink +time)
user() { # RIGHT...: one more, or one less
  redis-cli -p "$port" acl deluser limited >/dev/null
  redis-cli -p "$port" acl setuser limited on '>word' "${rights[@]}" "$@" >/dev/null
}
limited=redis://limited:word@127.0.0.1:$port
for command in hdel zadd lpop rpush hset zremrangebyscore unlink; do
  user "-$command"
  run 2 "$everyorder" test ./orders --cluster "$limited/rights" --test few --tickets none --jobs 1
  says "this user may not run the command ${command^^}"
done
job rights --test clean
for command in hdel zadd lpop rpush hset zremrangebyscore; do
  user "-$command"
  run 2 "$everyorder" worker --program ./orders --join "$limited/rights"
  says 'this user may not run the command'
done
kill -0 "$coordinator" || problem 'the job was harmed'
drop rights
user
run 0 "$everyorder" test ./orders --cluster "$limited/rights" --test few --tickets none --jobs 1
drop rights

echo 'records that name what a worker was not told of'
cat >evil.c <<'EVIL'
#include <stdio.h>
__attribute__((constructor)) static void run(void) { fclose(fopen("evil.was.run", "w")); }
EVIL
cc -shared -fPIC evil.c -o evil.so
cc evil.c -x c - -o evil <<<'int main(void) { return 0; }'
cat evil orders >evil.orders # with the mark of a test program in it
chmod +x evil.orders
record() { # TEXT FIELD VALUE...: a job whose record says something else
  local text=$1
  shift
  job record --test few
  while [ $# -gt 0 ]; do
    hset record "$1" "$2"
    shift 2
  done
  run 2 "$everyorder" worker --program ./orders --join "$redis/record"
  says "$text"
  [ ! -e evil.was.run ] || problem "$text: something else was run"
  [ ! -e written ] || problem "$text: something was written"
  rm -rf evil.was.run written
  drop record
}
shape=$(printf 'strategy ses\nexplorer plug-in 0\ncache off\n')
record 'is not the one the job is for' program "$scratch/evil.orders" build 0123
record 'uses the plug-in ./evil.so: give its path' options '--strategy ses --explorer ./evil.so --cache off' shape "$shape"
record 'on this worker: --explorer (job: plug-in 0, here: default), --cache (job: off, here: default)' options '--strategy ses' shape "$shape"
record 'the options of the job do not mean the same on this worker: --strategy (job: dfs, here: preempt)' options '--strategy preempt'
record '--json is not for a job' options '--strategy dfs --json written'
record '--tickets is not for a job' options '--strategy dfs --tickets written'
record '--report is not for a job' options '--strategy dfs --report written'
record '--live is not for a job' options '--strategy dfs --live written'
record '--resume is not for a job' options '--strategy dfs --resume written'
record '--params is not for a job' options '--strategy dfs --params /etc/passwd'
record 'can only have options' options '--strategy dfs written'
record 'unknown option --no-such' options '--strategy dfs --no-such 3'
record "there is no strategy 'none'" options '--strategy none'
record 'has no test nothing' test nothing
record 'is damaged: its field options' options "$(printf 'x%.0s' $(seq 3000))"
record 'is damaged: its field budget' budget inf
record 'another version of Everyorder' format 1

echo 'a plug-in that the worker was told of'
job plugin --test few --strategy ses --cache off
hset plugin options '--strategy ses --explorer ./evil.so --cache off'
run 2 "$everyorder" worker --program ./orders --join "$redis/plugin" --explorer "$EO_SRC/README.md"
says 'the options of the job do not mean the same on this worker: --explorer (job: default, here: plug-in '
[ ! -e evil.was.run ] || problem 'the plug-in was loaded'
drop plugin

all_well
