#!/usr/bin/env bash
# usage: tests/integration/samplers.sh
# The sampling strategies on real programs: the same executions with any number of jobs and after a stop, what they say of
# themselves, what they refuse; and the quick form of table 1.
# takes: 6
set -uo pipefail
. "$EO_SRC/tests/integration/tools.bash"

program=$EO_BUILD/examples/reg_server
samplers=(random irs pct pctcp tapct pos surw)

# What does not depend on who ran what when.
counts() { # FILE
  grep -E '^      "(executions|pruned|failures|transitions|max_depth|covered)":' "$1"
}

for sampler in "${samplers[@]}"; do
  options=(--test l6_11_concurrent_stops_bug --strategy "$sampler" --seed 5 --executions 3000 --keep-going
    --no-minimise --tickets none --quiet)
  run 1 "$program" "${options[@]}" --json one.json
  for jobs in 2 3; do
    run 1 "$program" "${options[@]}" --jobs $jobs --json "$jobs.json"
    same "$(counts "$jobs.json")" "$(counts one.json)" "$sampler with $jobs jobs"
  done
  # Stopped at once, and again and again after that: before it has learnt what it learns, and later.
  rm -f state
  rounds=0
  while "$program" "${options[@]}" --resume state --time 1ms --json part.json >out 2>&1
    ! grep -q '"stopped": ""' part.json && [ $((rounds += 1)) -lt 20 ]; do :; done
  run 1 "$program" "${options[@]}" --resume state --json part.json
  same "$(counts part.json | grep -v transitions)" "$(counts one.json | grep -v transitions)" "$sampler, resumed"
done

# What is promised, in words with numbers.
promise() { # STRATEGY OPTIONS...
  run 3 "$program" --test l6_12_concurrent_stops --seed 1 --executions 500 --quiet --tickets none --json said.json --strategy "$@"
  member said.json covered
}
says_of() { # WORDS REGEX
  [[ $1 =~ $2 ]] || problem "'$1' does not match '$2'"
}
says_of "$(promise pct)" \
  '^500 interleavings drawn at random \(pct, seed 1\): a bug of depth 3 in the first [0-9]+ steps of 4 processes is hit with probability at least [0-9.e-]+ by each, so at least 0\.[0-9]+ by all$'
says_of "$(promise pct --bug-depth 2 --length 50)" 'depth 2 in the first 50 steps of 4 processes is hit with probability at least 0.005 by each, so at least 0.918 by all$'
says_of "$(promise pctcp)" 'depth 3 in the order of [0-9]+ events in [0-9]+ chains is hit with probability'
says_of "$(promise tapct)" 'depth 3 in the order of [0-9]+ racing events in [0-9]+ chains is hit with probability'
says_of "$(promise irs --length 10)" 'cut off after 10 to 60 steps$'
says_of "$(promise surw)" 'nearly uniform over the orders'
says_of "$(promise pos)" 'new random priorities for operations that race with a step'

# It fails if the chooser takes three steps in a row, of which the second has nine choices, while another process has one: drawn
# evenly among choices, 1/2 * 9/10 * 1/2 of the executions; with the process drawn first, 1/8.
cat >drawn.c <<'PROGRAM'
#include <everyorder.h>
enum { GO, CHOSEN, STEPPED };
static void chooser(void *to) {
  eo_message m;
  eo_receive_tag(&m, GO, EO_FOREVER);
  (void)eo_choose(9);
  eo_send(*(const eo_pid *)to, CHOSEN, NULL, 0);
}
EO_TEST(drawn) {
  eo_pid self = eo_self(), pid = eo_spawn(chooser, &self, sizeof self);
  eo_message m;
  eo_send(pid, GO, NULL, 0);
  eo_assert(!eo_receive_tag(&m, CHOSEN, 0), "it has chosen already");
}
PROGRAM
compile drawn.c drawn
drawn() { # OPTION...
  run 1 ./drawn --strategy random --executions 4000 --keep-going --no-minimise --tickets none --quiet --json drawn.json "$@"
  member drawn.json failures
}
even=$(drawn) first=$(drawn --draw process)
[ "$even" -gt 800 ] && [ "$even" -lt 1000 ] || problem "$even of 4000 fail where 900 are expected"
[ "$first" -gt 420 ] && [ "$first" -lt 580 ] || problem "$first of 4000 fail where 500 are expected"
says_of "$(member drawn.json covered)" 'the process first'

run 2 "$program" --strategy random --bug-depth 2
says err "strategy 'random' does not use --bug-depth"
run 2 "$program" --strategy pos --length 2
says err "strategy 'pos' does not use --length"
run 2 "$program" --strategy pct --bug-depth 0
says err bug-depth
run 2 "$program" --strategy pct --bug-depth 65
run 2 "$program" --strategy pct --length 0
run 2 "$program" --strategy pct --bound 2

# A finding is told as it was found, or shorter.
run 1 "$program" --test l6_11_concurrent_stops_bug --strategy pct --seed 5 --tickets none --no-minimise --json long.json
says out '  as found:  '
grep -q '"minimised": false' long.json || problem 'JSON says minimised'
run 1 "$program" --test l6_11_concurrent_stops_bug --strategy pct --seed 5 --tickets none --json short.json
says out '  minimised: '
grep -q '"minimised": true' short.json || problem 'JSON does not say minimised'
same "$(member long.json executions)" "$(member short.json executions)" executions
grep -q '"fewest": true' long.json && problem 'minimised in spite of --no-minimise'

# Table 1, a few rows with small budgets. What is found where is chance of the budget; correct versions never fail.
if [ "$(basename "$EO_BUILD")" = build ]; then
  "$EO_SRC/bench/table1" --quick --tsv "$scratch/table.tsv" >out 2>err || problem "table 1: exit $?"
  for row in twopc_1 osr_1 osr_correct 'found of 2' 'Budget of every run: 200 executions'; do says out "$row"; done
  same "$(wc -l <table.tsv)" 25 'rows of table.tsv: a head, 3 runs for each bug and sampler, 1 of others, 1 where correct'
  # Gone on with: what the file has is not run again, what is missing in it is.
  mv out first
  sed '/^twopc_1\tpos\t2\t/d' table.tsv >part.tsv
  "$EO_SRC/bench/table1" --quick --tsv "$scratch/part.tsv" >out 2>err || problem "table 1 again: exit $?"
  same "$(sed -n '/Executions/,/found/p' out)" "$(sed -n '/Executions/,/found/p' first)" 'the table, gone on with'
  same "$(sort part.tsv | cut -f1-6)" "$(sort table.tsv | cut -f1-6)" 'its runs'
  # Written into a page, without a run: the file has only one row now.
  sed -n '1p;/^osr_1\t/p' table.tsv >part.tsv
  printf 'above\n<!-- table 1 -->\nold\n<!-- table 1 -->\nbelow\n' >page
  "$EO_SRC/bench/table1" --quick --as-it-is --tsv "$scratch/part.tsv" --write "$scratch/page" >out 2>err || problem "table 1, written: exit $?"
  same "$(sed -n '1p;$p' page | tr '\n' ' ')" 'above below ' 'around the table'
  grep -qE '^\| `osr_1` \| [0-9]+ \|' page || problem 'there is no row of osr_1 in the page'
  grep -qE '^\| `twopc_1` \|  \|' page || problem 'there is no empty row of twopc_1 in the page'
  same "$(wc -l <part.tsv)" 11 'rows of part.tsv: nothing was run'
fi

all_well
