#!/usr/bin/env python3
"""Runs the rows of hostile.tsv: see hostile.sh. usage: hostile.py TABLE FOLDER [PATTERN]"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

LIMIT = 3.0  # seconds: --time
MORE = 2.0  # seconds that the end may take beyond the limit
WATCHDOG = 100  # milliseconds
# Where time decided, and it was wrong, it is asked again with so many times as much: on a machine that is busy with other
# things, only what stays wrong is. A run that hangs, is too slow by itself, or says what is not true stays so. The watchdog,
# which counts processor time, gets the square root of that: more of its rounds fit in.
PATIENCE = (1, 4, 16)
STRATEGIES = ("dfs", "dpor")


def rows(path):
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.strip() and not line.startswith("#"):
            words = line.rstrip("\n").split("\t")
            assert len(words) == 5, f"{path}:{number}: {len(words)} columns"
            yield words


def left_behind(mark):
    """Processes that have the mark in their environment; those that are just ending get a moment."""
    for _ in range(20):
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if mark.encode() in file.read():
                        found.append(entry)
            except OSError:
                pass
        if not found:
            return []
        time.sleep(0.05)
    return found


def look(*run):
    """What is wrong with one run, as a list of sentences."""
    for patience in PATIENCE:
        wrong, in_time = attempt(patience, *run)
        if not wrong or in_time:
            break
    return wrong


def attempt(patience, program, test, strategy, expected, pattern, folder, how):
    """What is wrong, and whether time had no part in it."""
    mark = f"EO_HOSTILE_MARK={os.getpid()}.{program}.{test}.{strategy}.{how}.{patience}."
    output = os.path.join(folder, f"{program}.{test}.{strategy}.{how}.json")
    command = [os.path.join(folder, "hostile_bare")] if how == "bare" else []
    command += [os.path.join(folder, "hostile_" + program), "--test", test, "--strategy", strategy]
    command += ["--time", f"{LIMIT * patience:g}s", "--watchdog", f"{round(WATCHDOG * patience**0.5)}ms", "--tickets", "none", "--quiet", "--json", output]
    name, value = mark.split("=")
    wrong = []
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        env={**os.environ, name: value},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=(LIMIT + MORE) * patience + 10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ["it does not end"], False
    took = time.monotonic() - began
    in_time = took <= (LIMIT + MORE) * patience
    if not in_time:
        wrong.append(f"it took {took:.2f} s")
    for pid in left_behind(mark):
        wrong.append(f"process {pid} is left behind")
        os.kill(int(pid), 9)
    try:
        with open(output, encoding="utf-8") as file:
            report = json.load(file)
        findings = [f for t in report["tests"] for f in t["errors"]]
    except (OSError, ValueError, KeyError) as trouble:
        return wrong + [f"no report: {trouble}; {errors.decode(errors='replace')[-300:]}"], in_time
    said = "; ".join(f"{f['kind']}: {f['message']}" for f in findings) or "nothing"
    out_of_time = any(str(t.get("stopped") or "").startswith("after ") for t in report["tests"])
    in_time = in_time and not out_of_time and "runs on and on" not in said
    if process.returncode not in (0, 1, 3):
        wrong.append(f"exit {process.returncode}: {report['tests'][0].get('error', '')}")
    elif str(process.returncode) not in expected.split(","):
        wrong.append(f"exit {process.returncode} instead of {expected}, which says {said}")
    elif findings and not re.search(pattern, said):
        wrong.append(f"it says {said}, not {pattern}")
    if os.environ.get("EO_HOSTILE_SHOW"):
        print(f"{program} {test} {strategy} {how}: exit {process.returncode}, {took:.2f} s, {said}", flush=True)
    return wrong, in_time


def main():
    table, folder = sys.argv[1:3]
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    both = wanted != ""
    if wanted == "all":
        wanted = ""
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, 2 * (os.cpu_count() or 2))) as pool:
        for number, (program, test, expected, pattern, how) in enumerate(rows(table)):
            turn = STRATEGIES if both else (STRATEGIES[number % 2],)
            for strategy in turn if wanted in f"{program} {test} {how}" else ():
                job = pool.submit(look, program, test, strategy, expected, pattern, folder, how)
                jobs.append((program, test, f"{strategy} {how}", job))
        failures = 0
        for program, test, strategy, job in jobs:
            for sentence in job.result():
                failures += 1
                print(f"FAILED {program} {test} {strategy}: {sentence}", flush=True)
    subjects = len({(program, test) for program, test, _, _ in jobs})
    print(f"{subjects} subjects, {len(jobs)} runs, {failures} failures")
    sys.exit(failures > 0)


main()
