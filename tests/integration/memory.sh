#!/usr/bin/env bash
# Memory of dfs is in proportion to depth, not to executions: over the 827,844 of one exploration the worker's resident
# size stays the same, from a tenth of the way on.
# serial: it looks at a worker many times a second
# timeout: 300
set -uo pipefail

most=2048 # KiB of growth

scratch=$(mktemp -d)
main=
cleanup() {
  if [ -n "$main" ]; then kill -KILL "$main" 2>/dev/null; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
cd "$scratch" || exit 1
unset EO_NO_REEXEC

# The worker is the child of the program. Its resident size comes from
# /proc, one line per look, into the file sizes.
watch_size() { # PROGRAM ARGUMENT...
  local worker size status=0
  "$@" --quiet --tickets none --json report.json >out 2>&1 </dev/null &
  main=$!
  : >sizes
  while kill -0 "$main" 2>/dev/null; do
    worker=$(pgrep -P "$main" | head -n 1)
    size=
    if [ -n "$worker" ]; then size=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$worker/status" 2>/dev/null); fi
    if [ -n "$size" ]; then echo "$size" >>sizes; fi
    sleep 0.02
  done
  wait "$main" || status=$?
  main=
  return $status
}

watch_size "$EO_BUILD/examples/reg_server" --test l6_12_concurrent_stops || {
  echo "exit $?"
  cat out
  exit 1
}
grep -q '"executions": 827844,' report.json || {
  echo 'not all executions were run'
  cat out
  exit 1
}
grep -q '"restarts": 0,' report.json || {
  echo 'the worker died on the way'
  exit 1
}

# The last look may meet a worker that is going away: its memory is partly gone, which is no growth.
awk -v most="$most" '
  { size[NR] = $1 }
  END {
    if (NR < 10) { print "only " NR " looks: it was over too soon to say anything"; exit 1 }
    start = int(NR / 10) + 1
    least = greatest = size[start]
    for (i = start; i <= NR; i++) if (size[i] > greatest) greatest = size[i]
    printf "%d looks: %d KiB after a tenth of the way, at most %d KiB after that\n", NR, least, greatest
    if (greatest - least > most) { print "it grows"; exit 1 }
  }' sizes
