# browser.bash: what the tests in a browser share: node, npm and Chromium, and what npm brings, which is kept in the build
# folder ($folder) for the versions that are pinned. Read by tests/integration/*_browser.sh.
# shellcheck shell=bash

give_up() {
  echo "$(basename "$0" .sh): $*" >&2
  exit 1
}
for tool in node npm "${CHROMIUM:-chromium}"; do
  command -v "$tool" >/dev/null || give_up "there is no $tool: \`make setup\` installs what is needed"
done
export CHROMIUM=${CHROMIUM:-$(command -v chromium)}

folder=$EO_BUILD/browser
pinned=$(cat "$EO_SRC"/tests/browser/package*.json | sha256sum)
mkdir -p "$folder"
exec 9>"$folder/lock" # two of the tests may come here at a time
flock 9
if [ "$(cat "$folder/pinned" 2>/dev/null)" != "$pinned" ]; then
  cp "$EO_SRC"/tests/browser/package*.json "$folder"
  (cd "$folder" && npm ci --prefer-offline --no-audit --no-fund --ignore-scripts) ||
    give_up 'npm could not install playwright-core; is there a network?'
  echo "$pinned" >"$folder/pinned"
fi
flock -u 9
