#!/usr/bin/env bash
# What --resume refuses: a file that was kept with any other option that changes what is explored, one that another run
# uses, pipes, links, and files that somebody has made up. Nothing hangs, and nothing else is written to.
# takes: 7
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cat >slow.c <<'PROGRAM'
#include "order_of.h"

EO_TEST(first) { (void)order_of(2); }
EO_TEST(second) {
  const int order = order_of(3);
  eo_assert(order != 321, "the wrong way round");
}
PROGRAM
compile slow.c slow

explore() { # OPTION...: in the background
  start ./slow --quiet --tickets none --strategy dfs --keep-going "$@"
}
refused() { # TEXT OPTION...
  local text=$1 status=0
  shift
  cp state before
  timeout 20 ./slow --quiet --tickets none --strategy dfs "$@" --resume state >out 2>&1 </dev/null || status=$?
  same $status 2 "$text: exit code"
  grep -qF -- "$text" out || problem "it does not say '$text'"
  cmp -s state before || problem "$text: the file was changed"
}

echo 'every option that changes what is explored'
youngest=$EO_SRC/tests/integration/plugin_youngest.c
differ() { # STRATEGY OPTION[=VALUE]: kept with it and resumed without, and the other way round
  local strategy=$1 option=$2 name=${2%%=*} common=(--quiet --tickets none --test first --executions 20) with without
  case $strategy in
    ses) common+=(--strategy ses --cache off) ;;
    *) common+=(--strategy "$strategy") ;;
  esac
  with=("${common[@]}" "$option")
  without=("${common[@]}")
  rm -f state
  timeout 20 ./slow "${with[@]}" --resume state >out 2>&1 </dev/null
  [ -s state ] || problem "$strategy $option: nothing was kept"
  timeout 20 ./slow "${without[@]}" --resume state >out 2>&1 </dev/null
  same $? 2 "$strategy, kept with $option: exit code"
  grep -qF -- "other options: $name (file: " out || problem "$strategy: it does not say that $name differs"
  timeout 20 ./slow "${with[@]}" --resume state >out 2>&1 </dev/null
  [ $? -ne 2 ] || problem "$strategy $option: refused with the same options"
  rm -f state
  timeout 20 ./slow "${without[@]}" --resume state >out 2>&1 </dev/null
  timeout 20 ./slow "${with[@]}" --resume state >out 2>&1 </dev/null
  same $? 2 "$strategy, resumed with $option: exit code"
  grep -qF -- "other options: $name (file: default, now: " out || problem "$strategy: it does not say that $name differs"
}
for option in --depth=77 --timeouts=idle --delivery=fifo --leaks --abnormal=fail --watchdog=3s --seed=5; do differ dfs $option; done
for option in --bound=1 --cache=unlimited --cache-mb=7; do differ preempt $option; done
differ dpor --bound=1
for option in --explorer=rr --delays=1 --delay-step=2 --seed=3; do differ ses $option; done
for option in --explorer=rr --delays=1 --samples=5 --growth=2 --seed=3; do differ ss $option; done
for option in --bug-depth=2 --length=7 --seed=1; do differ pct $option; done
for strategy in random pos surw irs; do differ $strategy --seed=1; done
rm -f state # how many are drawn decides which
./slow --quiet --tickets none --test first --strategy random --executions 20 --resume state >out 2>&1
refused 'other options: --executions (file: 20, now: 30)' --test first --strategy random --executions 30
if cc -shared -fPIC -I"$EO_SRC/include/everyorder" -DOFFSET=0 "$youngest" -o plugin.so 2>err; then
  differ ses --explorer=./plugin.so
  rm -f state
  ./slow --quiet --tickets none --test first --strategy ses --cache off --explorer ./plugin.so --resume state >out 2>&1
  cc -shared -fPIC -I"$EO_SRC/include/everyorder" -DOFFSET=1 "$youngest" -o plugin.so
  refused 'other options: --explorer (file: plug-in ' --test first --strategy ses --cache off --explorer ./plugin.so
else
  problem 'the plug-in does not compile'
fi

echo 'one run at a time'
rm -f state
export SLOW=1000
slow_outlet
explore --test second --resume state
until [ -s state ]; do sleep 0.05; done
status=0
timeout 20 ./slow --quiet --tickets none --strategy dfs --keep-going --test first --resume state >out 2>&1 </dev/null || status=$?
same $status 2 'a second run: exit code'
grep -q 'another run uses state' out || problem 'it does not say that the file is in use'
kill -KILL -- "-$main"
finish
unset SLOW
timeout 60 ./slow --quiet --tickets none --strategy dfs --keep-going --resume state >out 2>&1 </dev/null # the lock is gone with its owner
same $? 1 'after that'
[ ! -e state.lock ] || problem 'the lock is left'

echo 'pipes, folders, links'
cp state good
status=0
mkfifo pipe
timeout 20 ./slow --quiet --tickets none --resume pipe >out 2>&1 </dev/null || status=$?
same $status 2 'a pipe: exit code'
grep -q 'it is not a regular file' out || problem 'a pipe is not told'
status=0
timeout 20 ./slow --quiet --tickets none --resume . >out 2>&1 </dev/null || status=$?
same $status 2 'a folder: exit code'
echo precious >victim
for name in state.new state.tmp state.lock; do ln -sf victim $name; done
status=0
timeout 20 ./slow --quiet --tickets none --strategy dfs --keep-going --resume state >out 2>&1 </dev/null || status=$?
same $status 2 'a link in the place of the lock: exit code'
rm state.lock
timeout 20 ./slow --quiet --tickets none --strategy dfs --keep-going --resume state >out 2>&1 </dev/null
same "$(cat victim)" precious 'what links lead to'

echo 'one bit, and any part that is missing'
spoilt() { # WHAT: the file `state` was made from `good`
  local status=0
  timeout 20 ./slow --quiet --tickets none --strategy dfs --keep-going --resume state >out 2>&1 </dev/null || status=$?
  same $status 2 "$1: exit code"
}
size=$(stat -c %s good)
for at in $(seq 0 56) $((size / 3)) $((size / 2)) $((size - 2)) $((size - 1)); do
  python3 - "$at" <<'PYTHON'
import sys
at, bytes = int(sys.argv[1]), bytearray(open('good', 'rb').read())
bytes[at] ^= 1 << at % 8
open('state', 'wb').write(bytes)
PYTHON
  spoilt "a bit of byte $at"
done
for length in 0 1 10 19 20 30 52 53 54 $((size / 2)) $((size - 1)); do
  head -c "$length" good >state
  spoilt "$length bytes"
done
(cat good && echo) >state
spoilt 'a byte more'

echo 'files that somebody has made up'
cat >seal.c <<'SEAL'
#include <stdio.h>
#include <xxhash.h>
int main(void) {
  static char text[1 << 20];
  size_t size = fread(text, 1, sizeof text, stdin);
  XXH128_hash_t hash = XXH3_128bits(text, size);
  printf("everyorder resume 3 %016llx%016llx\n", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  fwrite(text, 1, size, stdout);
}
SEAL
cc seal.c -lxxhash -o seal || problem 'seal.c'
# A finding that the file already holds weighs more than the error, which is told beside it.
made_up() { # SCRIPT OPTION...: for sed; the file with another content, and a checksum that is right
  local script=$1 status=0
  shift
  tail -n +2 good | sed -E "$script" | ./seal >state
  cmp -s good state && problem "$script: nothing was changed"
  timeout 60 ./slow --quiet --tickets none --strategy dfs --keep-going "$@" --resume state --json report.json >out 2>&1 </dev/null || status=$?
  [ $status -eq 1 ] && grep -q 'could not be run; [1-9][0-9]* finding' out && return
  [ $status -eq 2 ] || [ $status -eq 4 ] || problem "$script: exit code $status"
}
made_up 's/"executions":[0-9]+/"executions":-1/'
made_up 's/"doubts":0/"doubts":4096/'
made_up 's/"cut":0/"cut":-1/'
made_up 's/"coverage":0/"coverage":9/'
made_up 's/"max_depth":[0-9]+/"max_depth":99999999999/'
made_up 's/"finished":true/"finished":false/'
made_up 's/"tests":\[.*$/"tests":{}}/'
made_up 's/"findings":\[[^]]+\]/"findings":["nonsense"]/'
made_up 's/"finished":true/"finished":false/; s/"fragments":\[\]/"fragments":["zz"]/'
# Fragments that no strategy has written: an error, whatever is in them.
for bytes in 00 ff 01ffffffffffffffff 02 0100000000000000000000 "$(printf 'ab%.0s' $(seq 500))"; do
  made_up 's/"finished":true/"finished":false/g; s/"fragments":\[\]/"fragments":["'"$bytes"'"]/g'
done

all_well
