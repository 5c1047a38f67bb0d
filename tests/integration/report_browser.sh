#!/usr/bin/env bash
# The HTML report in a real browser: tests/browser/report.mjs, in the Chromium of this machine.
# serial: it measures time
# timeout: 300
# builds: release
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

give_up() {
  echo "report_browser: $*" >&2
  exit 1
}
for tool in node npm "${CHROMIUM:-chromium}"; do
  command -v "$tool" >/dev/null || give_up "there is no $tool: \`make setup\` installs what is needed"
done

# What npm brings is kept in the build folder, for the versions that are pinned.
folder=$EO_BUILD/browser
pinned=$(cat "$EO_SRC"/tests/browser/package*.json | sha256sum)
if [ "$(cat "$folder/pinned" 2>/dev/null)" != "$pinned" ]; then
  mkdir -p "$folder"
  cp "$EO_SRC"/tests/browser/package*.json "$folder"
  (cd "$folder" && npm ci --prefer-offline --no-audit --no-fund --ignore-scripts) ||
    give_up 'npm could not install playwright-core; is there a network?'
  echo "$pinned" >"$folder/pinned"
fi

cd "$scratch"
# shellcheck disable=SC2046 # several words
gcc -std=gnu17 -g -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" \
  "-ffile-prefix-map=$EO_SRC/=" "$EO_SRC/tests/integration/report_program.c" -o program "$EO_BUILD/libeveryorder.a" \
  $(pkg-config --libs libxxhash jansson hiredis) -ldw -lelf -pthread -ldl -Wl,-z,now

expect() { # STATUS COMMAND...
  local expected=$1 status=0
  shift
  "$@" >"$scratch/log" 2>&1 || status=$?
  [ "$status" -eq "$expected" ] || { cat "$scratch/log" && give_up "exit $status instead of $expected: $*"; }
}
cd "$EO_SRC" # where the paths of the sources are seen from
expect 1 "$EO_BUILD/examples/findings" --keep-going --leaks --quiet --tickets none --report "$scratch/findings.html"
expect 1 "$scratch/program" --quiet --tickets none --report "$scratch/program.html"
expect 0 "$EO_BUILD/everyorder" test "$EO_BUILD/examples/listing_4_2" --report "$scratch/passing.html"

cp "$EO_SRC/tests/browser/report.mjs" "$folder"
export CHROMIUM=${CHROMIUM:-$(command -v chromium)}
node "$folder/report.mjs" "$scratch/findings.html" "$scratch/program.html" "$scratch/passing.html"
