#!/usr/bin/env bash
# usage: tests/fuzz/hunt.sh SEED [TARGET...]
# libFuzzer on each target (tests/fuzz/fuzz_*.c), from its corpus on, for EO_FUZZ_SECONDS (default 60): `make hunt` does it
# with new seeds. An input that fails is left in build/fuzz-found.
#
# With `keep` as SEED it does not look for failures, but writes the corpora anew: corpus/TARGET/reached gets, after so many
# seconds, the smallest inputs that together reach what all of them reach. `make test` runs these (inputs.c).
# hunt: SEED
set -uo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
seed=${1:?a seed, or keep}
shift
targets=("$@")
if [ $# -eq 0 ]; then for file in tests/fuzz/fuzz_*.c; do targets+=("$(basename "$file" .c)"); done; fi
seconds=${EO_FUZZ_SECONDS:-60}

mkdir -p build/fuzz-found
flock build/fuzz-found scripts/build fuzz "${targets[@]/#/tests/fuzz/}" || exit
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# gcc 12 and clang 14 place their shadow memory where a kernel with much address randomisation may put a program.
fixed_addresses=
if setarch -R true 2>/dev/null; then fixed_addresses='setarch -R'; fi
fuzz() { # TARGET OPTION... FOLDER...
  local target=$1
  shift
  # shellcheck disable=SC2086 # two words or none
  $fixed_addresses "build/fuzz/tests/fuzz/$target" -timeout=60 -rss_limit_mb=2048 -verbosity=0 \
    -artifact_prefix=build/fuzz-found/ "$@"
}

# The lines of `reached`, one file each.
unpack() { # FOLDER_OF_CORPUS FOLDER
  local line number=0
  mkdir -p "$2"
  if [ ! -f "$1/reached" ]; then return; fi
  while IFS= read -r line; do
    number=$((number + 1))
    printf '%b' "$line" >"$2/$number"
  done <"$1/reached"
}
pack() { # FOLDER
  python3 - "$1" <<'END'
import os, sys
inputs = [open(entry.path, "rb").read() for entry in os.scandir(sys.argv[1])]
for data in sorted(inputs, key=lambda data: (len(data), data)):
    print("".join("\\n" if b == 10 else "\\\\" if b == 92 else chr(b) if 32 <= b < 127 else f"\\x{b:02x}" for b in data))
END
}

failures=0
for target in "${targets[@]}"; do
  corpus=tests/fuzz/corpus/$target
  mkdir -p "$corpus" "$scratch/new"
  unpack "$corpus" "$scratch/known"
  if [ "$seed" != keep ]; then
    fuzz "$target" -seed="$seed" -max_total_time="$seconds" "$scratch/new" "$corpus" "$scratch/known" || failures=$((failures + 1))
  else
    fuzz "$target" -max_total_time="$seconds" -max_len=600 "$scratch/new" "$corpus" "$scratch/known" || exit
    # What those with names reach needs no other input.
    cp -r "$corpus" "$scratch/kept"
    rm -f "$scratch/kept/reached"
    fuzz "$target" -merge=1 -use_counters=0 "$scratch/kept" "$scratch/new" "$scratch/known" >"$scratch/log" 2>&1 || exit
    for file in "$corpus"/*; do rm -f "$scratch/kept/$(basename "$file")"; done
    pack "$scratch/kept" >"$corpus/reached"
    echo "$target: $(wc -l <"$corpus/reached") inputs, $(wc -c <"$corpus/reached") bytes"
  fi
  rm -rf "${scratch:?}"/*
done
echo "${#targets[@]} targets, $failures with findings"
[ $failures -eq 0 ]
