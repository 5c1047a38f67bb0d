# beside_pan.bash: what benches that run pan beside us share. Sets rounds, root and scratch.
# shellcheck shell=bash

rounds=${1:-3}
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v spin >/dev/null || {
  echo 'spin is not installed (Debian: apt install spin)' >&2
  exit 2
}

TIMEFORMAT='%U %S'
seconds() { # COMMAND...: processor time
  { time "$@" >"$scratch/out" 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}
median() { sort -g | sed -n "$(((rounds + 1) / 2))p"; }
