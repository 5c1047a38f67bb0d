# cluster_tools.bash: what the tests of the cluster share: a Redis of their own on a free port of this machine, workers
# that are started again when they are killed, and the comparison of results.
# shellcheck shell=bash

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

end_all() {
  if [ -f redis.pid ]; then kill_redis; fi
  cleanup
}
trap end_all EXIT

# ---- Redis --------------------------------------------------------------------

port=
free_port() {
  local candidate
  for _ in $(seq 100); do
    candidate=$((20000 + RANDOM % 12000))
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$candidate") 2>/dev/null; then
      echo $candidate
      return
    fi
  done
}
start_redis() { # SETTING...: on $port, or a new one
  local tries=0
  port=${port:-$(free_port)}
  mkdir -p redis
  redis-server --port "$port" --bind "${bind-127.0.0.1}" --protected-mode no --dir "$scratch/redis" --save '' \
    --appendonly yes --appendfsync always "$@" >>redis.log 2>&1 &
  echo $! >redis.pid
  until [ "$(redis-cli -p "$port" -h "${bind-127.0.0.1}" ping 2>/dev/null)" = PONG ] || [ $((tries += 1)) -eq 500 ]; do
    sleep 0.02
  done
}
kill_redis() {
  local pid
  pid=$(cat redis.pid)
  kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  rm -f redis.pid
}

key_of() { # JOB KEY: its whole name, which carries the job's id
  echo "everyorder:$1:$(redis-cli -p "$port" hget everyorder:epochs "$1"):$2"
}

# ---- Workers ------------------------------------------------------------------

# Keeps a worker running, started again when it is killed, until it ends in order (its job has ended) or `crew.stop` is
# there. Its process group is in the file crew.NUMBER.
keep_worker() { # NUMBER ADDRESS COMMAND...: started by the shell that waits for it
  local number=$1 address=$2 status
  shift 2
  while [ ! -f crew.stop ]; do
    setsid "$@" "$everyorder" worker --program "${program:-./orders}" --join "$address" --jobs 2 >>worker.log 2>&1 </dev/null &
    echo $! >"crew.$number"
    wait $! 2>/dev/null
    status=$?
    rm -f "crew.$number"
    if [ "$status" -eq 0 ]; then break; fi
    if [ "$status" -ne 137 ]; then sleep 0.1; fi
  done
}
workers=()
start_workers() { # COUNT ADDRESS COMMAND...
  local i count=$1
  shift
  rm -f crew.*
  : >worker.log
  workers=()
  for i in $(seq "$count"); do
    keep_worker "$i" "$@" &
    workers+=($!)
  done
}
stop_workers() { # after their job has ended
  local pid
  for pid in "${workers[@]}"; do wait "$pid"; done
  workers=()
}
# The worker with all its processes, or one of these.
kill_worker() { # NUMBER
  local group child
  group=$(cat "crew.$1" 2>/dev/null) || return 1
  if [ $((RANDOM % 2)) -eq 0 ]; then
    kill -KILL -- "-$group" 2>/dev/null
  else
    child=$(pgrep -P "$group" | head -n 1)
    if [ -n "$child" ]; then kill -KILL "$child" 2>/dev/null; fi
  fi
}

# ---- Results ------------------------------------------------------------------

# What must not depend on who explored what, and when.
essence() { # FILE
  local name
  for name in test strategy options verdict complete covered stopped executions pruned failures cut max_depth error; do
    echo "$name: $(member "$1" "$name")"
  done
  # One line for each finding.
  sed -nE 's/^ {10}"(kind|message|process|file|line)": (.*)$/\1 \2/p' "$1" | paste -d ' ' - - - - - | sort
}
equal() { # WHAT: result.json against expected.json
  [ -s result.json ] || problem "$1: no result"
  if ! cmp -s <(essence expected.json) <(essence result.json); then
    problem "$1: another result"
    diff <(essence expected.json) <(essence result.json) | head -n 20
  fi
}
