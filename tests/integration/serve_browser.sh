#!/usr/bin/env bash
# The pages of `everyorder serve` in a real browser: tests/browser/serve.mjs, in the Chromium of this machine. With EO_IMAGES,
# pictures of the main views are put into that folder.
# timeout: 300
# builds: release
set -euo pipefail

scratch=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null && wait "$server" 2>/dev/null; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
unset EO_NO_REEXEC

give_up() {
  echo "serve_browser: $*" >&2
  exit 1
}
for tool in node npm "${CHROMIUM:-chromium}"; do
  command -v "$tool" >/dev/null || give_up "there is no $tool: \`make setup\` installs what is needed"
done

# What npm brings is kept in the build folder, for the versions that are pinned.
folder=$EO_BUILD/browser
pinned=$(cat "$EO_SRC"/tests/browser/package*.json | sha256sum)
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
if [ "$(cat "$folder/pinned" 2>/dev/null)" != "$pinned" ]; then
  cp "$EO_SRC"/tests/browser/package*.json "$folder"
  (cd "$folder" && npm ci --prefer-offline --no-audit --no-fund --ignore-scripts) ||
    give_up 'npm could not install playwright-core; is there a network?'
  echo "$pinned" >"$folder/pinned"
fi
flock -u 9

cd "$scratch"
status=0
"$EO_BUILD/everyorder" test "$EO_BUILD/examples/bank" --quiet --json bank.json --live bank.eolive >log 2>&1 || status=$?
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
export CHROMIUM=${CHROMIUM:-$(command -v chromium)}
node "$folder/serve.mjs" "$url" "$scratch" "$EO_BUILD/everyorder" "$EO_BUILD/examples/bank" ${EO_IMAGES:+"$EO_IMAGES"}
