#!/usr/bin/env bash
# The two steps that are named as making a failing execution pass: there where some order passes, and true; none where
# none does.
# builds: release
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

passes_if() { # PROGRAM TEST: "STEP before STEP", "none"
  "$EO_BUILD/examples/$1" --test "$2" --strategy dfs --tickets none --quiet --json result.json >/dev/null 2>&1
  python3 - <<'PYTHON'
import json
turns = [error["passes_if"] for test in json.load(open("result.json"))["tests"] for error in test["errors"]]
print(*(f"{turn['step']} before {turn['before']}" if turn else "none" for turn in turns))
PYTHON
}

# One takes before the other has asked whether there is one left.
same "$(passes_if demo look_then_take)" "12 before 4" "demo"
# A deposit is written before the other has read the balance.
same "$(passes_if bank lost_update)" "10 before 4" "bank"
same "$(passes_if findings assertion_ours)" none "findings: it fails in every order"
same "$(passes_if findings crash_null_write)" none "findings: so does this"
all_well
