#!/usr/bin/env bash
# usage: cluster.sh [STRATEGY...] [long]
# The cluster under faults: whatever dies or gets lost, the counts and findings are those of a local run that nobody
# disturbed, exactly. `long` takes minutes, with more work, more faults and real examples.
# serial: it counts on workers getting some processor time
# hunt: long
# takes: 10
set -uo pipefail
# shellcheck source=tests/integration/cluster_tools.bash
. "$EO_SRC/tests/integration/cluster_tools.bash"

strategies=()
long=false
for word in "$@"; do
  if [ "$word" = long ]; then long=true; else strategies+=("$word"); fi
done
if [ ${#strategies[@]} -eq 0 ]; then strategies=(dfs preempt dpor); fi

compile "$EO_SRC/tests/integration/cluster_orders.c" orders
slow_outlet
gcc -O1 -Wall "$EO_SRC/tests/integration/lossy_proxy.c" -o lossy_proxy || exit 1

# What is explored, and how slow each execution is made (order_of.h): a few seconds of work in all.
slow_for() { # STRATEGY
  program=./orders
  if [ "$1" = dpor ]; then
    arguments=(--test many_orders --keep-going)
    slow=250
  else
    arguments=(--test orders --keep-going)
    slow=75
  fi
}

expected_of=
expect() { # STRATEGY: the local run that nobody disturbs
  local this="$program ${arguments[*]} $1"
  if [ "$this" = "$expected_of" ]; then return; fi # once is enough
  expected_of=$this
  expected_status=0
  "$program" "${arguments[@]}" --strategy "$1" --tickets none --quiet --json expected.json >out 2>&1 || expected_status=$?
  [ "$(member expected.json executions)" -gt 0 ] || problem "$1: nothing explored"
}

# ---- The coordinator ----------------------------------------------------------

coordinator=
grace=1s
start_coordinator() { # ADDRESS STRATEGY
  setsid "$everyorder" test "$program" "${arguments[@]}" --strategy "$2" --cluster "$1" --tickets tickets --quiet \
    --budget 300ms --grace $grace --json result.json >coordinator.log 2>&1 </dev/null &
  coordinator=$!
  started+=("$coordinator")
}
kill_coordinator() {
  kill -KILL -- "-$coordinator" 2>/dev/null
  wait "$coordinator" 2>/dev/null
}

# ---- What goes wrong ----------------------------------------------------------

job_runs() {
  kill -0 "$coordinator" 2>/dev/null
}
kills=0
disturb_nothing() { while job_runs; do sleep 0.1; done; }
disturb_workers() { # one each half second
  while job_runs; do
    sleep 0.5
    if job_runs && kill_worker $((1 + RANDOM % 2)); then kills=$((kills + 1)); fi
  done
}
disturb_redis() { # three times
  for _ in 1 2 3; do
    sleep 0.3
    if job_runs; then
      kill_redis
      sleep 0.2
      start_redis
      kills=$((kills + 1))
    fi
  done
  disturb_nothing
}
disturb_coordinator() { # three times; $address and $strategy say which
  for _ in 1 2 3; do
    sleep 0.3
    if job_runs; then
      kill_coordinator
      kills=$((kills + 1))
      sleep 0.2
      start_coordinator "$address" "$strategy"
    fi
  done
  disturb_nothing
}
disturb_all() {
  for _ in 1 2 3; do
    sleep 0.3
    if ! job_runs; then break; fi
    kill_worker $((1 + RANDOM % 2)) && kills=$((kills + 1))
    kill_redis
    start_redis
    kill_coordinator
    start_coordinator "$address" "$strategy"
    kills=$((kills + 2))
  done
  disturb_workers
}

number=0
campaign() { # HOW STRATEGY LOSSES
  local how=$1 strategy=$2 proxy='' address name status=0 proxy_port=$port
  number=$((number + 1))
  name=job$number
  kills=0
  # Of those whom nobody disturbs, no claim may be lost, however busy this machine is.
  if [ "$how" = disturb_nothing ]; then grace=60s; else grace=1s; fi
  rm -f result.json
  if [ "$3" -gt 0 ]; then
    # Redis may be restarted behind it: the port stays.
    rm -f proxy.log
    ./lossy_proxy "$port" "$3" >proxy.log &
    proxy=$!
    until [ -s proxy.log ] 2>/dev/null; do sleep 0.01; done
    proxy_port=$(head -n 1 proxy.log)
  fi
  address="redis://127.0.0.1:$proxy_port/$name?timeout=100ms"
  expect "$strategy"
  start_coordinator "$address" "$strategy"
  while job_runs && [ "$(redis-cli -p "$port" exists "everyorder:$name:job")" = 0 ]; do sleep 0.02; done
  SLOW=$slow start_workers 2 "$address"
  "$how"
  wait "$coordinator" || status=$?
  stop_workers
  same $status "$expected_status" "$how $strategy: exit code"
  equal "$how $strategy"
  if [ $failures -gt 0 ]; then tail -n 5 coordinator.log worker.log; fi
  local late lost
  late=$(redis-cli -p "$port" hget "everyorder:$name:job" late)
  lost=$(redis-cli -p "$port" hget "everyorder:$name:job" lost)
  echo "$how, $3 % of replies lost, $strategy: $(member result.json executions) executions, $kills kills," \
    "${lost:-0} claims lost, ${late:-0} results late, $(member result.json elapsed_s) s"
  if [ -n "$proxy" ]; then
    kill "$proxy"
    wait "$proxy"
    echo "    $(tail -n 1 proxy.log)"
    [ "$(sed -nE 's/.* ([0-9]+) of them lost/\1/p' proxy.log)" -gt 0 ] || problem "$how $strategy: no reply was lost"
  fi
  case $how in
    disturb_nothing) same "${lost:-0}" 0 "$how $strategy: claims lost" ;;
    *) [ "$kills" -gt 0 ] || problem "$how $strategy: it was over before anything was killed" ;;
  esac
  # Each finding has a ticket that replays.
  if [ "$how" = disturb_all ]; then
    local ticket tickets
    shopt -s nullglob
    tickets=(tickets/*.ticket)
    same ${#tickets[@]} "$(grep -c '^          "kind"' expected.json)" "$how $strategy: tickets"
    for ticket in "${tickets[@]}"; do
      status=0
      "$everyorder" replay "$ticket" >out 2>&1 </dev/null || status=$?
      same $status 1 "replay of $ticket"
    done
  fi
  rm -rf tickets
  "$everyorder" cluster drop "redis://127.0.0.1:$port/$name" || problem "$name cannot be dropped"
}

start_redis
for strategy in "${strategies[@]}"; do
  slow_for "$strategy"
  campaign disturb_all "$strategy" 30
done
# $strategy is the last one still.
campaign disturb_nothing "$strategy" 0
slow=$((slow / 4))
campaign disturb_nothing "$strategy" 30
if [ "$strategy" = dpor ]; then # real work
  slow=0
  program=$EO_BUILD/examples/actors
  arguments=(--test scheduling_9)
  campaign disturb_all dpor 30
fi

if $long; then
  for strategy in "${strategies[@]}"; do
    slow_for "$strategy"
    slow=$((slow * 16))
    for how in disturb_workers disturb_redis disturb_coordinator disturb_all; do
      for losses in 0 30; do campaign "$how" "$strategy" $losses; done
    done
  done
  slow=0
  program=$EO_BUILD/examples/reg_server
  arguments=(--test l6_12_concurrent_stops)
  for strategy in "${strategies[@]}"; do
    if [ "$strategy" != dpor ]; then campaign disturb_all "$strategy" 30; fi # which is done with it at once
  done
fi

all_well
