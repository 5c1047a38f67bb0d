#!/usr/bin/env bash
# Hosts that are cut off from the network and come back: three network namespaces, one with Redis and the coordinator, two
# with workers. Where the kernel does not allow that, the test says so and is skipped.
# serial: it counts on workers getting some processor time
# timeout: 120
# takes: 5
set -uo pipefail
# shellcheck source=tests/integration/cluster_tools.bash
. "$EO_SRC/tests/integration/cluster_tools.bash"

hosts=(hub one two)
space() { # HOST
  echo "eo-$$-$1"
}
take_down() {
  local host
  for host in "${hosts[@]}"; do ip netns del "$(space "$host")" 2>/dev/null; done
}
trap 'end_all; take_down' EXIT

build() {
  local host number=0
  for host in "${hosts[@]}"; do ip netns add "$(space "$host")" && ip -n "$(space "$host")" link set lo up || return; done
  for host in one two; do
    number=$((number + 1))
    ip link add "eo$$h$number" netns "$(space hub)" type veth peer name net netns "$(space "$host")" &&
      ip -n "$(space hub)" addr add 10.231.$number.1/24 dev "eo$$h$number" &&
      ip -n "$(space hub)" link set "eo$$h$number" up &&
      ip -n "$(space "$host")" addr add 10.231.$number.2/24 dev net &&
      ip -n "$(space "$host")" link set net up || return
  done
}
if ! build 2>why; then
  echo "skipped: no network namespaces here: $(tail -n 1 why)"
  exit 0
fi
on() { # HOST COMMAND...
  ip netns exec "$(space "$1")" "${@:2}"
}
start_on() { # HOST COMMAND...: for the background, where the process is then the command itself
  exec ip netns exec "$(space "$1")" "${@:2}"
}
plug() { # HOST up|down
  ip -n "$(space "$1")" link set net "$2"
}

compile "$EO_SRC/tests/integration/cluster_orders.c" orders
slow_outlet

port=6379
mkdir redis
start_on hub redis-server --port $port --bind 0.0.0.0 --protected-mode no --dir "$scratch/redis" --save '' --appendonly yes \
  --appendfsync always >redis.log 2>&1 &
echo $! >redis.pid
until [ "$(on hub redis-cli ping 2>/dev/null)" = PONG ]; do sleep 0.05; done

runs() { kill -0 "$coordinator" 2>/dev/null; }
of_job() { # FIELD
  on hub redis-cli hget "everyorder:$strategy:job" "$1"
}
cut_off() { # TEST SLOW CUT...: explored by $strategy, each execution so slow (order_of.h); a cut is HOST... SECONDS
  local exploration=(./orders --test "$1" --strategy "$strategy" --keep-going --tickets none --quiet) slow=$2
  local coordinator number host cut cuts=0 status=0 lost late
  shift 2
  "${exploration[@]}" --json expected.json >out 2>&1
  start_on hub setsid "$everyorder" test "${exploration[@]}" --json result.json \
    --cluster "redis://127.0.0.1/$strategy?timeout=300ms" --budget 300ms --grace 700ms >coordinator.log 2>&1 </dev/null &
  coordinator=$!
  started+=("$coordinator")
  until [ "$(on hub redis-cli exists "everyorder:$strategy:job")" = 1 ]; do sleep 0.02; done
  workers=()
  for number in 1 2; do
    start_on "${hosts[number]}" env "SLOW=$slow" "$everyorder" worker --jobs 2 --program ./orders \
      --join "redis://10.231.$number.1/$strategy?timeout=300ms" >"worker$number.log" 2>&1 </dev/null &
    workers+=($!)
    started+=($!)
  done
  until [ "$(of_job executions)" -gt 0 ] 2>/dev/null || ! runs; do sleep 0.05; done
  for cut in "$@"; do
    if ! runs; then break; fi
    for host in ${cut% *}; do plug "$host" down; done
    cuts=$((cuts + 1))
    sleep "${cut##* }"
    for host in ${cut% *}; do plug "$host" up; done
    sleep 0.5
  done
  wait "$coordinator" || status=$?
  same $status 1 "$strategy: exit code"
  equal "$strategy, hosts that were cut off"
  for number in 0 1; do
    status=0
    wait "${workers[number]}" || status=$?
    same $status 0 "$strategy: worker on ${hosts[number + 1]}"
  done
  lost=$(of_job lost)
  late=$(of_job late)
  echo "$strategy: $(member result.json executions) executions, $cuts cuts, ${lost:-0} claims lost," \
    "${late:-0} results late, $(member result.json elapsed_s) s"
  [ "${lost:-0}" -gt 0 ] || problem "$strategy: no claim was lost: the cuts came too late"
  if [ $failures -gt 0 ]; then tail -n 5 coordinator.log worker?.log; fi
}

# For a moment; for longer than a claim lasts; then the other one; then both.
strategy=dfs
cut_off orders 150 'one 0.2' 'one 2' 'two 1.5' 'one two 1'
strategy=dpor
cut_off many_orders 400 'two 0.2' 'one 1.5' 'one two 1'

all_well
