#!/usr/bin/env bash
# ses, ss and ses+ss from the command line: bad input, plug-ins, explorers of the program, hints, findings that replay from
# their tickets under every explorer, jobs, a worker that dies, reports.
# builds: release
# timeout: 200
# takes: 4
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

bank=$EO_BUILD/examples/bank
test_with() { # STATUS PROGRAM OPTIONS...
  local status=$1 program=$2
  shift 2
  run "$status" timeout -s KILL 100 "$everyorder" test "$program" --quiet --json report.json "$@"
}

# ---- Bad input ----------------------------------------------------------------

test_with 2 "$bank" --strategy ses --explorer rct
says err "there is no explorer 'rct'"
says err 'did you mean rtc?'
test_with 2 "$bank" --strategy ses --explorer nobody_knows_this
says err "there is no explorer 'nobody_knows_this'; \`everyorder strategies\` lists them"
test_with 2 "$bank" --strategy ses --explorer ./nowhere.so
says err "--explorer ./nowhere.so: No such file or directory"
echo "not a library" >text.so
test_with 2 "$bank" --strategy ses --explorer text.so
says err "this is not a plug-in that can be loaded"
test_with 2 "$bank" --strategy ses --delays -1
says err "--delays -1: expected a whole number"
test_with 2 "$bank" --strategy ss --delays many
says err "--delays many"
test_with 2 "$bank" --strategy dfs --explorer rr
says err "strategy 'dfs' does not use --explorer"
test_with 2 "$bank" --strategy ss --cache off
says err "strategy 'ss' does not use --cache"
test_with 2 "$bank" --strategy ses --cache-mb 0
says err "--cache-mb 0"
test_with 2 "$bank" --strategy ses --cache unlimited --cache-mb 3
says err "has no limit"
test_with 2 "$bank" --strategy ses --resume state.json
says err "--cache off"

# ---- Plug-ins -----------------------------------------------------------------

plugin() { # NAME [DEFINITION...]: builds NAME.so
  local name=$1
  shift
  cc -shared -fPIC -Wall -Wextra -Werror -I"$EO_SRC/include/everyorder" "$@" \
    "$EO_SRC/tests/integration/plugin_youngest.c" -o "$name.so" || problem "cc $name"
}
plugin good
plugin old -DVERSION=99
plugin nameless -DOTHER_NAME
plugin partial -DNO_DELAY
plugin unsound -DUNSOUND
test_with 2 "$bank" --strategy ses --explorer ./old.so
says err "the explorer is of version 99 of explorer.h, and this is version 1"
test_with 2 "$bank" --strategy ses --explorer ./nameless.so
says err "has no eo_plugin_explorer"
test_with 2 "$bank" --strategy ses --explorer ./partial.so
says err "the explorer has no \`delay\`"
for strategy in ses ss; do
  test_with 2 "$bank" --test deposits --strategy $strategy --explorer ./unsound.so
  says out "explorer 'youngest' is not sound: at step"
done

# ---- The same states, findings that replay ------------------------------------

states=
for explorer in rr rtc prr any custom ./good.so good.so; do
  rm -rf tickets
  test_with 1 "$bank" --strategy ses --explorer $explorer --keep-going --tickets tickets
  now=$(member report.json states | tr '\n' ' ')
  same "${states:=$now}" "$now" "states with $explorer"
  same "$(member report.json complete | tr '\n' ' ')" "true true " "complete with $explorer"
  for ticket in tickets/*.ticket; do run 1 timeout -s KILL 20 "$everyorder" replay "$ticket"; done
  rm -rf tickets
  test_with 1 "$bank" --test lost_update --strategy ss --explorer $explorer --seed 3 --tickets tickets
  for ticket in tickets/*.ticket; do run 1 timeout -s KILL 20 "$everyorder" replay "$ticket"; done
done
for jobs in 2 3; do
  test_with 1 "$bank" --strategy ses --keep-going --tickets none --jobs $jobs
  same "$(member report.json states | tr '\n' ' ')" "$states" "states with $jobs jobs"
done
test_with 1 "$bank" --test lost_update --strategy ses --tickets none
[ "$(member report.json delays finding)" -ge 1 ] || problem "no delays in the report"

# Of a bound, and of samples, a clean run says what it means.
test_with 3 "$bank" --test deposits --strategy ses --delays 1 --cache off
says report.json "every execution of at most 1 delay under rtc"
test_with 3 "$bank" --test deposits --strategy ses --delays 1
says report.json "states within 1 delay under rtc, each explored only where it was first reached"
test_with 3 "$bank" --test deposits --strategy ss --delays 2
says report.json "of d delays hits a given execution with probability at least 1/"
same "$(member report.json executions)" 213 'executions: 1 + (100 + 3) + (100 + 9)'
test_with 3 "$EO_BUILD/examples/senders" --test senders_6 --strategy ses+ss --cache-mb 1 --delays 1
says report.json "until the cache was full; then"

# What is left to explore is memory, too.
test_with 3 "$EO_BUILD/examples/senders" --test senders_7 --strategy ses --cache-mb 1
same "$(member report.json stopped)" 'the frontier takes as much memory as it may' 'stopped'
same "$(member report.json complete)" false 'complete'

# --cache-mb bounds all of it: states, the log of hot ones, what is left to explore, and the program comes on top.
/usr/bin/time -f %M -o peak "$EO_BUILD/examples/senders" --test senders_9 --strategy ses --cache-mb 32 --time 60s --quiet \
  --tickets none --json report.json >out 2>&1
same "$(member report.json stopped)" 'the frontier takes as much memory as it may' 'stopped'
[ "$(tail -n 1 peak)" -le $(((32 + 16) * 1024)) ] || problem "--cache-mb 32: a process takes $(tail -n 1 peak) kB"

# The same seed draws the same.
test_with 1 "$bank" --test lost_update --strategy ss --explorer prr --seed 7 --tickets none
first=$(member report.json execution finding)
test_with 1 "$bank" --test lost_update --strategy ss --explorer prr --seed 7 --tickets none
same "$(member report.json execution finding)" "$first" "the same seed"

# ---- Explorers of the program, and hints --------------------------------------

cat >own.c <<'SOURCE'
#include <everyorder.h>
#include <explorer.h>
#include <signal.h>
#include <unistd.h>

static size_t size(uint32_t processes) { return processes * 0 + sizeof(uint32_t); }
static void init(void *state, uint64_t seed) { (void)state, (void)seed; }
static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  (void)choices;
  return *(const uint32_t *)state % count;
}
static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  (void)choices;
  *(uint32_t *)state = (*(uint32_t *)state + 1) % count;
}
static void step(void *state, const eo_explorer_step *step) { *(uint32_t *)state = step->kind == EO_STEP_HINT ? 1 : 0; }
static const eo_explorer mine = {EO_EXPLORER_VERSION, "of-the-program", "in order of ids", size, init, next, delay, step};
EO_EXPLORER(mine)

static void sender(void *argument) { eo_send(*(eo_pid *)argument, 1, NULL, 0); }

/* Without a delay, whoever was moved to the front is heard first. */
EO_TEST(hinted) {
  eo_pid self = eo_self(), first = eo_spawn(sender, &self, sizeof self), last = eo_spawn(sender, &self, sizeof self);
  eo_message message;
  eo_hint(EO_HINT_FRONT, last);
  eo_hint(EO_HINT_BACK, first);
  eo_receive(&message, EO_FOREVER);
  eo_assert(message.from == last, "the other one came first");
  eo_receive(&message, EO_FOREVER);
}

/* Ends the whole worker in one order of messages. */
EO_TEST(kills) {
  eo_pid self = eo_self(), all[3];
  eo_message message;
  int order = 0;
  for (int i = 0; i < 3; i++) all[i] = eo_spawn(sender, &self, sizeof self);
  for (int i = 0; i < 3; i++) {
    eo_receive(&message, EO_FOREVER);
    order = order * 3 + (message.from == all[0] ? 0 : message.from == all[1] ? 1 : 2);
  }
  if (order == 2 * 9 + 1 * 3) kill(getpid(), SIGKILL);
}
SOURCE
compile own.c own
run 0 ./own strategies
says out "of-the-program  in order of ids"
test_with 3 ./own --test hinted --strategy ses --explorer custom --delays 0
test_with 1 ./own --test hinted --strategy ses --explorer rr --delays 0
test_with 1 ./own --test hinted --strategy ses --explorer of-the-program

# A worker dies in the middle: nothing of what it had seen is lost.
test_with 1 ./own --test kills --strategy ses --keep-going --tickets tickets
states=$(member report.json states) executions=$(member report.json executions)
[ "$(member report.json restarts)" -ge 1 ] || problem "no worker died"
same "$(member report.json complete)" true "complete"
same "$(member report.json kind finding)" crash "what was found"
for ticket in tickets/kills*.ticket; do run 1 timeout -s KILL 20 "$everyorder" replay "$ticket"; done
for explorer in rr prr; do
  test_with 1 ./own --test kills --strategy ses --explorer $explorer --keep-going --jobs 2 --tickets none
  same "$(member report.json states)" "$states" "states with $explorer and two jobs"
  same "$(member report.json kind finding)" crash "findings with $explorer and two jobs"
done
[ -n "$executions" ] || problem "no executions in the report"
all_well
