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
SLOW = float(os.environ.get("EO_SLOW", "1"))  # a machine that is busy with other things needs more
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


def look(program, test, strategy, expected, pattern, folder, how):
    """What is wrong with one run, as a list of sentences."""
    mark = f"EO_HOSTILE_MARK={os.getpid()}.{program}.{test}.{strategy}.{how}."
    output = os.path.join(folder, f"{program}.{test}.{strategy}.{how}.json")
    command = [os.path.join(folder, "hostile_bare")] if how == "bare" else []
    command += [os.path.join(folder, "hostile_" + program), "--test", test, "--strategy", strategy]
    command += ["--time", f"{LIMIT:g}s", "--watchdog", "300ms", "--tickets", "none", "--quiet", "--json", output]
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
        _, errors = process.communicate(timeout=(LIMIT + MORE) * SLOW + 10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ["it does not end"]
    took = time.monotonic() - began
    if took > LIMIT + MORE * SLOW:
        wrong.append(f"it took {took:.2f} s")
    for pid in left_behind(mark):
        wrong.append(f"process {pid} is left behind")
        os.kill(int(pid), 9)
    try:
        with open(output, encoding="utf-8") as file:
            report = json.load(file)
        findings = [f for t in report["tests"] for f in t["errors"]]
    except (OSError, ValueError, KeyError) as trouble:
        return wrong + [f"no report: {trouble}; {errors.decode(errors='replace')[-300:]}"]
    said = "; ".join(f"{f['kind']}: {f['message']}" for f in findings) or "nothing"
    if process.returncode not in (0, 1, 3):
        wrong.append(f"exit {process.returncode}: {report['tests'][0].get('error', '')}")
    elif str(process.returncode) not in expected.split(","):
        wrong.append(f"exit {process.returncode} instead of {expected}, which says {said}")
    elif findings and not re.search(pattern, said):
        wrong.append(f"it says {said}, not {pattern}")
    if os.environ.get("EO_HOSTILE_SHOW"):
        print(f"{program} {test} {strategy} {how}: exit {process.returncode}, {took:.2f} s, {said}", flush=True)
    return wrong


def main():
    table, folder = sys.argv[1:3]
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, 2 * (os.cpu_count() or 2))) as pool:
        for program, test, expected, pattern, how in rows(table):
            for strategy in STRATEGIES if wanted in f"{program} {test} {how}" else ():
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
