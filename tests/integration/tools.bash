# tools.bash: what shell tests share: a folder of their own, processes that are ended whatever happens, checks that count
# failures, and looking into reports. Read at the beginning of a test; `all_well` is its last line.
# shellcheck shell=bash

scratch=$(mktemp -d)
cd "$scratch" || exit 1
unset EO_NO_REEXEC REDISCLI_AUTH
started=() # process groups and processes
cleanup() {
  local pid
  for pid in "${started[@]}"; do
    kill -KILL -- "-$pid" 2>/dev/null || kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
  rm -rf "$scratch"
}
trap cleanup EXIT

everyorder=$EO_BUILD/everyorder

# ---- Checks -------------------------------------------------------------------

failures=0
problem() {
  local file
  echo "FAILED line ${BASH_LINENO[-2]}: $*"
  for file in out err; do
    if [ -f $file ]; then tail -n 20 $file | sed "s/^/    $file: /"; fi
  done
  failures=$((failures + 1))
}
all_well() {
  if [ $failures -eq 0 ]; then return; fi
  echo "$failures checks failed"
  exit 1
}
same() { # GOT EXPECTED WHAT
  [ "$1" = "$2" ] || problem "$3: '$1' instead of '$2'"
}
run() { # STATUS COMMAND...: into the files out and err
  local expected=$1 status=0
  shift
  "$@" >out 2>err </dev/null || status=$?
  [ "$status" -eq "$expected" ] || problem "exit $status instead of $expected: $*"
}
says() { # FILE TEXT
  grep -qF -- "$2" "$1" || problem "$1 does not say '$2'"
}
silent() { # FILE TEXT
  if grep -qF -- "$2" "$1"; then problem "$1 says '$2'"; fi
}

# A member of a test, or with a third argument of its findings, from a report; one line per object.
member() { # FILE NAME [finding]
  local indent=6
  if [ "${3-}" = finding ]; then indent=10; fi
  sed -nE "s/^ {$indent}\"$2\": \"?(.*[^\",])?\"?,?\$/\1/p" "$1"
}

# ---- Programs -----------------------------------------------------------------

compile() { # SOURCE PROGRAM OPTION...: as a user would
  gcc -std=gnu17 -g -O1 -Wall "-I$EO_SRC/include/everyorder" "-I$EO_SRC/tests/integration" "$1" -o "$2" "${@:3}" \
    "$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw -lpthread -ldl || exit 1
}

# Descriptor 8 becomes a pipe that is read at four bytes a microsecond, however busy this machine is: programs that are told
# to be SLOW write to it (order_of.h), and wait.
slow_outlet() {
  exec 8> >(exec python3 -c '
import os, time
read, start = 0, time.monotonic()
while got := os.read(0, 1 << 16):
    read += len(got)
    start = max(start, time.monotonic() - read / 4e6 - 0.1) # time in which nobody wrote is not made good
    time.sleep(max(0, start + read / 4e6 - time.monotonic()))')
}

main= # the program that `start` started last and `finish` has not waited for
start() { # COMMAND...: in the background, as $main, in a process group of its own
  setsid "$@" >out 2>&1 </dev/null &
  main=$!
  started+=("$main")
}
finish() { # the exit status of $main
  local status=0
  wait "$main" 2>/dev/null || status=$?
  main=
  started=()
  return $status
}

build_both() { # SOURCE OPTION...: into with_archive and with_library, linked with the static library and the shared one
  local compile=(gcc -std=gnu17 -D_GNU_SOURCE -g -O1 -Wall "-I$EO_SRC/include/everyorder" "$1")
  "${compile[@]}" -o with_archive "$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw -lelf -pthread -ldl "${@:2}" || exit 1
  "${compile[@]}" -o with_library "-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder "${@:2}" || exit 1
}
