#!/usr/bin/env bash
# usage: memory.sh [long]
# Memory does not grow with executions: over the 827,844 of one exploration by dfs, and over 362,880 by dpor (long:
# 3,628,800), the worker's resident size stays the same, from a tenth of the way on.
# serial: it looks at a worker many times a second
# hunt: long
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

most=2048 # KiB of growth

# The worker is the child of the program. Its resident size comes from
# /proc, one line per look, into the file sizes.
watch_size() { # EXECUTIONS PROGRAM ARGUMENT...
  local worker name size nothing status=0 executions=$1
  shift
  start "$@" --quiet --tickets none --json report.json
  : >sizes
  worker=
  while [ -z "$worker" ] && kill -0 "$main" 2>/dev/null; do worker=$(pgrep -P "$main" | head -n 1); done
  # No process is started for a look: that would take longer than what is looked at.
  exec {nothing}<> <(:)
  while kill -0 "$main" 2>/dev/null; do
    while read -r name size _; do
      if [ "$name" = VmRSS: ]; then echo "$size" >>sizes; fi
    done 2>/dev/null <"/proc/$worker/status"
    read -r -t 0.01 -u "$nothing"
  done 2>/dev/null
  exec {nothing}>&-
  finish || status=$?
  same $status 0 "$*: exit code"
  same "$(member report.json executions)" "$executions" "$*: executions"
  same "$(member report.json restarts)" 0 "$*: workers that died on the way"
}

# The last look may meet a worker that is going away: its memory is partly gone, which is no growth.
grows_not() { # WHAT
  local looks first greatest
  mapfile -t looks <sizes
  if [ ${#looks[@]} -lt 10 ]; then
    problem "$1: only ${#looks[@]} looks: it was over too soon to say anything"
    return
  fi
  first=${looks[${#looks[@]} / 10]}
  greatest=$(tail -n +$((${#looks[@]} / 10 + 1)) sizes | sort -n | tail -n 1)
  echo "$1, ${#looks[@]} looks: $first KiB after a tenth of the way, at most $greatest KiB after that"
  [ $((greatest - first)) -le $most ] || problem "$1: it grows"
}

watch_size 827844 "$EO_BUILD/examples/reg_server" --test l6_12_concurrent_stops --strategy dfs
grows_not dfs
senders=9 executions=362880
if [ "${1-}" = long ]; then senders=10 executions=3628800; fi
watch_size $executions "$EO_BUILD/examples/actors" --test scheduling_$senders --strategy dpor
grows_not "dpor, $executions executions"
all_well
