#!/usr/bin/env bash
# The pages of `everyorder serve` in a real browser: tests/browser/serve.mjs, in the Chromium of this machine. With EO_IMAGES,
# pictures of the main views are put into that folder.
# builds: release
# takes: 6
set -euo pipefail

scratch=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null && wait "$server" 2>/dev/null; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
unset EO_NO_REEXEC

# shellcheck source=tests/browser/browser.bash
. "$EO_SRC/tests/browser/browser.bash"

cd "$scratch"
status=0
"$EO_BUILD/everyorder" test "$EO_BUILD/examples/bank" --strategy dfs --quiet --json bank.json --live bank.eolive >log 2>&1 || status=$?
[ $status -eq 1 ] || { cat log && give_up "bank: exit $status"; }

"$EO_BUILD/everyorder" serve . --listen 127.0.0.1:0 >printed 2>&1 &
server=$!
for _ in $(seq 100); do
  if grep -q ' at http://' printed; then break; fi
  sleep 0.05
done
url=$(sed -n 's/^Serving .* at //p' printed)
[ -n "$url" ] || { cat printed && give_up 'serve did not start'; }

cp "$EO_SRC/tests/browser/serve.mjs" "$folder"
node "$folder/serve.mjs" "$url" "$scratch" "$EO_BUILD/everyorder" "$EO_BUILD/examples/bank" ${EO_IMAGES:+"$EO_IMAGES"}
