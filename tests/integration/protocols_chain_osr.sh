#!/usr/bin/env bash
# Chain replication and the switch-and-LED driver: each bug is found by a delaying explorer within a small budget, not in
# the run without delays, and its ticket replays; the correct version is silent at the same budget; both run live.
# builds: release
# takes: 15
# timeout: 400
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
# shellcheck source=tests/integration/protocols.bash
. "$EO_SRC/tests/integration/protocols.bash"

declare -A silent=()
while read -r name most options; do
  read -ra words <<<"--strategy $options"
  found_within "$name" "$most" "${words[@]:1}"

  correct=${name%_*}_correct
  [ -z "${silent["$correct $options"]-}" ] || continue
  silent["$correct $options"]=1
  limit=(--delays 1)
  case $options in ss*) limit=(--executions "$most") ;; *custom*) limit=(--delays 2) ;; esac
  run 3 "$protocols" --test "$correct" "${words[@]}" "${limit[@]}" --quiet --tickets none
done <<'BUGS'
chainrep_1 8000 ses --explorer rr
chainrep_2 8000 ses --explorer rtc
chainrep_3 8000 ses --explorer rtc
chainrep_4 8000 ses --explorer rtc
chainrep_5 100 ss --explorer rtc
chainrep_6 100 ss --explorer rr
chainrep_7 8000 ses --explorer rtc
chainrep_8 100 ss --explorer prr
chainrep_9 8000 ses --explorer prr
chainrep_10 30000 ses --explorer custom
osr_1 4000 ses --explorer rtc
osr_2 100 ss --explorer rr
BUGS

# Nobody else finds them so soon: the failure comes too early in what is drawn at random, and too late in what is searched
# from the end.
not_drawn chainrep_4 osr_2

runs_live protocols_live.c "20 runs of each"
all_well
