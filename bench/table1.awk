# table1.awk: prints table 1 from the cells that bench/table1 measured, and counts the rows where delaying explorers are
# ten times better. Exits with 1 if a correct version has a finding.

function shown(state, value) {
  if (state == "absent") return "-"
  if (state == "error") return "error"
  return state == "past" ? "*" : value
}

function short(value) {
  if (value >= 1e7) return sprintf("%.0fM", value / 1e6)
  if (value >= 1e4) return sprintf("%.0fk", value / 1e3)
  return sprintf("%d", value)
}

# Of these columns of a test, the least that was needed: best is set to that (1e18: nothing was found), and floor to what
# was surely not enough for the columns that found nothing (1e18: all found it).
function least(test, names, what,    i, n, list, key) {
  best = floor = 1e18
  n = split(names, list, " ")
  for (i = 1; i <= n; i++) {
    key = test SUBSEP list[i]
    if (state[key] == "found" && what[key] + 0 < best) best = what[key] + 0
    if (state[key] == "past" && what[key] + 0 < floor) floor = what[key] + 0
  }
}

# Ten times better than all of the others, whose "*" count as what they ran.
function beats(test, ours, theirs, what,    mine, other) {
  least(test, ours, what)
  mine = best
  if (mine == 1e18) return 0
  least(test, theirs, what)
  other = best < floor ? best : floor
  return other < 1e18 && 10 * mine <= other
}

{
  if (!($1 in seen)) { seen[$1] = 1; order[++rows] = $1 }
  key = $1 SUBSEP $2
  state[key] = $3; units[key] = $4; steps[key] = $5
}

END {
  all = samplers " " searches
  n = split(all, columns, " ")
  s = split(samplers, ignored, " ")
  printf "%-16s", ""
  for (i = 1; i <= n; i++) printf "%s%8s", i == s + 1 ? " |" : "", columns[i]
  printf "\n"
  for (r = 1; r <= rows; r++) {
    test = order[r]
    if (test ~ /_correct$/ && !corrects++) print "\nCorrect versions: silent, or what was found"
    printf "%-16s", test
    for (i = 1; i <= n; i++) {
      key = test SUBSEP columns[i]
      text = shown(state[key], units[key])
      if (test ~ /_correct$/ && state[key] == "past") text = "silent"
      if (test ~ /_correct$/ && state[key] == "found") { text = "FOUND"; wrong++ }
      printf "%s%8s", i == s + 1 ? " |" : "", text
    }
    printf "\n%-16s", "  steps"
    for (i = 1; i <= n; i++) {
      key = test SUBSEP columns[i]
      printf "%s%8s", i == s + 1 ? " |" : "", state[key] == "absent" || state[key] == "error" ? "" : short(steps[key])
    }
    printf "\n"
    if (test ~ /_correct$/) continue
    bugs++
    sampled = beats(test, "ss-rr ss-rtc ss-prr", "random irs pct", units)
    searched = beats(test, "ses-rr ses-rtc ses-prr", "preempt", units)
    by_samples += sampled; by_states += searched; either += sampled || searched; both += sampled && searched
    by_steps += beats(test, "ss-rr ss-rtc ss-prr ses-rr ses-rtc ses-prr", "random irs pct preempt", steps)
    least(test, "ss-rr ss-rtc ss-prr ses-rr ses-rtc ses-prr", units)
    found += best < 1e18
  }
  if (bugs) {
    printf "\nOf %d bugs, %d are found by ses or ss with some explorer.\n", bugs, found
    print "A tenth or less of what the baselines need (a * of theirs counts as what they ran, one of ours as never):"
    printf "  %3d  executions: the best of ss against the best of random, irs and pct\n", by_samples
    printf "  %3d  states: the best of ses against preempt\n", by_states
    printf "  %3d  one of these two, %d both\n", either, both
    printf "  %3d  steps run, which all have in common: the best of ses and ss against the best of all four\n", by_steps
  }
  if (wrong) printf "%d findings in correct versions.\n", wrong
  exit wrong > 0
}
