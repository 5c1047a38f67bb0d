#!/usr/bin/env python3
"""bench/auto.py BUILD [SECONDS [PROGRAM...]]: what `auto` costs beside every other strategy, on each test of the examples.

Of a test that fails: executions and seconds to the first finding. Of one that passes: seconds to the end. Each strategy gets
SECONDS (default 10) of wall time a test. The last lines count where `auto` is within three times the executions of the best
other strategy or within a second, and within 1.3 times its time.
"""
import json
import os
import subprocess
import sys
import tempfile

build, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10
programs = ['bank', 'cache', 'demo', 'door', 'findings', 'listing_4_2', 'lock', 'philosophers', 'ping_pong', 'program_m',
            'reg_server', 'senders', 'workers', 'actors', 'protocols']
programs = sys.argv[3:] or programs
others = ['dfs', 'dpor', 'ses', 'preempt', 'random', 'pos', 'pct', 'pctcp', 'surw', 'ss']


def explore(program, strategy, tests):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'report.json')
        command = [os.path.join(build, 'examples', program), '--strategy', strategy, '--time', f'{seconds}s', '--quiet',
                   '--no-minimise', '--tickets', 'none', '--json', path]
        for test in tests:
            command += ['--test', test]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return {run['test']: run for run in json.load(open(path))['tests']}


good = {'found': [0, 0], 'passed': [0, 0]}
for program in programs:
    listed = subprocess.run([os.path.join(build, 'examples', program), 'list'], capture_output=True, text=True, check=True)
    tests = [line.split()[0] for line in listed.stdout.splitlines() if line.strip()]
    runs = {strategy: explore(program, strategy, tests) for strategy in ['auto'] + others}
    for test, auto in runs['auto'].items():
        other = {s: runs[s][test] for s in others if test in runs[s]}
        failing = {s: r for s, r in other.items() if r['verdict'] == 'fail'}
        passing = {s: r for s, r in other.items() if r['verdict'] == 'pass'}
        if failing or auto['verdict'] == 'fail':
            best = min(failing.items(), key=lambda item: item[1]['executions'], default=(None, None))
            right = auto['verdict'] == 'fail' and (auto['elapsed_s'] <= 1 or
                                                   (best[1] and auto['executions'] <= 3 * best[1]['executions']))
            good['found'][not right] += 1
            shown = ', '.join(f"{s} {r['executions']}" for s, r in failing.items())
            print(f"{'   ' if right else '!! '}{program} {test}: auto {auto['verdict']} {auto['executions']}"
                  f" in {auto['elapsed_s']:.2f} s; {shown}", flush=True)
        elif passing:
            best = min(passing.items(), key=lambda item: item[1]['elapsed_s'])
            right = auto['verdict'] == 'pass' and auto['elapsed_s'] <= 1.3 * best[1]['elapsed_s'] + 0.1
            good['passed'][not right] += 1
            if not right or best[1]['elapsed_s'] > 0.3:
                print(f"{'   ' if right else '!! '}{program} {test}: auto {auto['verdict']} {auto['elapsed_s']:.2f} s; best"
                      f" {best[0]} {best[1]['elapsed_s']:.2f} s", flush=True)
print(f"found within the bound: {good['found'][0]}, not: {good['found'][1]}")
print(f"passed within the bound: {good['passed'][0]}, not: {good['passed'][1]}")
