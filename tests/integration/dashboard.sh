#!/usr/bin/env bash
# The progress of several workers on a terminal: a row for each, never more than the terminal has, in place, and gone
# without trace at the end; and none of it elsewhere.
# serial: what is to be seen must come within a second or two
# takes: 5
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

# More executions than there is time for, which take no processor time: all of it is looked at for seconds.
compile "$EO_SRC/tests/integration/cluster_orders.c" orders
slow_outlet
export SLOW=500

on_terminal() { # ROWS COLUMNS SECONDS COMMAND...: into screen.json
  timeout -s KILL 60 python3 "$EO_SRC/tests/integration/terminal.py" "$@" >screen.json || problem "on a terminal: $*"
}
holds() { # PYTHON: an expression over t (all of it), final (its text), screens (texts) and re
  python3 - "$1" <<'END' || problem "not so: $1"
import json, re, sys
t = json.load(open('screen.json'))
final = '\n'.join(t['final'])
screens = ['\n'.join(s) for s in t['screens']]
if not eval(sys.argv[1]):
    print(final, *screens[-2:], sep='\n----\n')
    sys.exit(1)
END
}
fits() { # COLUMNS: no row of progress comes to the last column
  holds "all(len(line) < $1 for s in screens if '/s' in s for line in s.split('\\n'))"
}

# Four workers, interrupted in the middle.
on_terminal 24 100 2 ./orders --test clean --strategy dfs --jobs 4
fits 100
holds 't["status"] == 3'
holds 'all(any(re.search(rf"^  worker {n} +[0-9,]+ executions +[0-9,]+/s", s, re.M) for s in screens) for n in (1, 2, 3, 4))'
holds 'any("part " in s and "depth " in s for s in screens)'
holds '"worker 1" not in final and "depth" not in final and "/s" not in final'
holds 'final.count("clean  ") == 1'
holds 'max(s.count("worker 1 ") for s in screens) == 1' # redrawn in place

# More workers than rows, and little room.
on_terminal 6 60 2 ./orders --test clean --strategy dfs --jobs 9
fits 60
holds 't["status"] == 3'
holds 'any(re.search(r"^  6 more +[0-9,]+ executions", s, re.M) for s in screens)'
holds '"executions" in final and "more" not in final and "worker" not in final'
on_terminal 2 40 1 ./orders --test clean --strategy dfs --jobs 3
holds 'not any("worker" in s for s in screens)'

# One worker: one line. Findings stand above it.
on_terminal 24 100 1 ./orders --test clean --strategy dfs
holds 'any("/s" in s for s in screens) and not any("worker" in s for s in screens)'
holds '"/s" not in final'
on_terminal 24 100 20 "$EO_BUILD/examples/demo" --strategy dfs --jobs 2 --keep-going --tickets none
holds 't["status"] == 1 and "worker" not in re.sub("workers|run worker", "", final) and "everyorder" not in final'
holds 'final.count("takes over from a process") == 1'

# Not a terminal, or not wanted: no rows.
timeout -s INT 2 ./orders --test clean --strategy dfs --jobs 2 >out 2>err </dev/null
grep -q 'worker 1' err && problem 'rows where there is no terminal'
grep -q "$(printf '\033')" err && problem 'control sequences where there is no terminal'
on_terminal 24 100 1 ./orders --test clean --strategy dfs --jobs 2 --quiet
holds 'not any("executions " in s for s in screens[:-2]) and not any("worker" in s for s in screens)'

# The workers of a cluster, by their names.
port=$((20000 + RANDOM % 12000))
redis-server --bind 127.0.0.1 --port $port --dir "$scratch" --save '' >redis.log 2>&1 &
started+=($!)
until [ "$(redis-cli -p $port ping 2>/dev/null)" = PONG ]; do sleep 0.1; done
on_terminal 24 110 6 ./orders --test clean --strategy dfs --cluster redis://127.0.0.1:$port/dashboard --jobs 2 --budget 500ms
holds "all(len(line) < 110 for s in screens for line in s.split('\\n') if re.search('/s  part', line))"
host=$(hostname | cut -c 1-23)
holds "any(len(re.findall(r'^  $host-[-0-9a-f]+\.[01] +[0-9,]+ executions +[0-9,]+/s  part [0-9]+', s, re.M)) == 2 for s in screens)"
holds 'not re.search("[0-9]/s", final) and "everyorder cluster cancel redis" in final.replace("\n", "")'

all_well
