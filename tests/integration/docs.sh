#!/usr/bin/env bash
# What the documents named below show is what happens, and the manual pages are complete.
# takes: 9
# A command of ours that ends in & stays in the background until the end.
#
# A block after a line <!-- file NAME --> is that file; a block ```c is compiled as program NAME without .c, an explorer as NAME.so.
# After a line <!-- change NAME --> the block's definitions, with blank lines between them, take the places of those of the same
# name in that file; a new one goes before the next one that the file has, else to the end. In a block ```console each line
# `$ COMMAND` that runs a program of ours (build/..., one that was just compiled) or curl is run; others are for the reader.
# The exit code is that of a line <!-- exit N --> before the block, else 0. The lines below the command must be in its
# output, in this order; a `…` stands for anything, times are not compared, a step may stand without its source line.
set -euo pipefail

scratch=$(mktemp -d)
background=() # processes to end
redis=
cleanup() {
  local pid
  for pid in "${background[@]}" $redis; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
  rm -rf "$scratch"
}
trap cleanup EXIT
mkdir "$scratch/build"
ln -s "$EO_BUILD/everyorder" "$EO_BUILD/examples" "$scratch/build/"
ln -s "$EO_SRC/examples" "$EO_SRC/tests" "$scratch/" # models
cd "$scratch"

failures=0
commands=0
fail() {
  echo "docs: $*"
  failures=$((failures + 1))
}

compile() { # SOURCE
  local libraries
  if grep -q eo_plugin_explorer "$1"; then
    cc -std=c17 -g -Wall -Wextra -Werror -shared -fPIC "-I$EO_SRC/include/everyorder" "$1" -o "${1%.c}.so" ||
      fail "$document: $1 does not compile"
    return
  fi
  libraries=$(pkg-config --libs libxxhash jansson hiredis)
  # shellcheck disable=SC2086 # several words
  cc -std=c17 -g -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" "$1" -o "${1%.c}" "$EO_BUILD/libeveryorder.a" \
    $libraries -ldw -lelf -pthread -ldl || fail "$document: $1 does not compile"
}

change() { # SOURCE, by the definitions in $scratch/change
  python3 - "$1" "$scratch/change" <<'END' || fail "$document: $1 cannot be changed so"
import re, sys
def read(path):
    return [piece.strip('\n') for piece in re.split(r'\n\n+', open(path).read().strip('\n'))]
def name(piece):
    test = re.match(r'EO_TEST\w*\((\w+)', piece)
    return test.group(0) if test else re.split(r'[({=]', piece)[0].strip()
pieces, waiting = read(sys.argv[1]), []
for piece in read(sys.argv[2]):
    names = [name(other) for other in pieces]
    if name(piece) not in names:
        waiting.append(piece)
        continue
    at = names.index(name(piece))
    pieces[at:at + 1] = waiting + [piece]
    waiting = []
with open(sys.argv[1], 'w') as file:
    file.write('\n\n'.join(pieces + waiting) + '\n')
END
}

# Prints the first line of EXPECTED that is not in ACTUAL, if there is one.
missing_line() { # EXPECTED ACTUAL
  if [ ! -s "$1" ]; then return; fi
  awk '
    function mask(line) { gsub(/[0-9.]+ s$/, "T s", line); sub(/[ \t]+$/, "", line); return line }
    function matches(line, pattern,   parts, count, i, at) {
      count = split(pattern, parts, "…")
      if (substr(line, 1, length(parts[1])) != parts[1]) return 0
      if (count == 1) return line == pattern
      line = substr(line, length(parts[1]) + 1)
      for (i = 2; i < count; i++) {
        at = index(line, parts[i])
        if (at == 0) return 0
        line = substr(line, at + length(parts[i]))
      }
      return length(line) >= length(parts[count]) && \
        substr(line, length(line) - length(parts[count]) + 1) == parts[count]
    }
    FNR == NR { if ($0 != "" && $0 != "…") wanted[++total] = mask($0); next }
    {
      line = mask($0)
      short = line
      sub(/ +([^ ]+:[0-9]+( \([^ ]+\))?|where)$/, "", short)
      if (next_one < total && (matches(line, wanted[next_one + 1]) || matches(short, wanted[next_one + 1]))) next_one++
    }
    END { if (next_one < total) print wanted[next_one + 1] }
  ' "$1" "$2"
}

# doc/cluster.md speaks of a Redis on its usual port; here it is one of our own.
port=$((20000 + RANDOM % 12000))
web_port=$((port + 1)) # and doc/serve.md of its own default
start_redis() {
  redis-server --bind 127.0.0.1 --port $port --dir "$scratch" --save '' --appendonly yes >redis.log 2>&1 &
  redis=$!
  until [ "$(redis-cli -p $port ping 2>/dev/null)" = PONG ]; do sleep 0.1; done
}

run() { # COMMAND EXIT
  local status=0 missing
  case $1 in
    build/*' &') # it stays there
      commands=$((commands + 1))
      read -ra words <<<"${1% &}"
      words=("${words[@]//127.0.0.1:6379/127.0.0.1:$port}")
      "${words[@]//127.0.0.1:8372/127.0.0.1:$web_port}" >background.log 2>&1 </dev/null &
      background+=($!)
      sleep 0.5
      return
      ;;
  esac
  case $1 in
    build/* | ./* | 'curl '*) ;;
    *) return ;;
  esac
  commands=$((commands + 1))
  set -- "${1//127.0.0.1:6379/127.0.0.1:$port}" "$2"
  bash -c "${1//127.0.0.1:8372/127.0.0.1:$web_port}" >"$scratch/actual" 2>&1 </dev/null || status=$?
  sed -i "s/127\.0\.0\.1:$port/127.0.0.1:6379/g" "$scratch/actual"
  if [ "$status" -ne "$2" ]; then
    fail "$document: \`$1\` exits with $status, not with $2:"
    tail -n 20 "$scratch/actual"
    return
  fi
  missing=$(missing_line "$scratch/expected" "$scratch/actual")
  if [ -n "$missing" ]; then
    fail "$document: \`$1\` does not print the line: $missing"
    tail -n 40 "$scratch/actual"
  fi
}

# Runs the command that has been gathered, now that the lines it should print are known.
run_gathered() {
  if [ -n "$command" ]; then run "$command" "$status"; fi
  command=
  : >"$scratch/expected"
}

check() { # DOCUMENT
  local document=$1 line block='' file='' changed='' skip=false command='' status=0
  while IFS= read -r line; do
    if [ -z "$block" ]; then
      case $line in
        '<!-- exit '*) status=${line//[^0-9]/} ;;
        '<!-- not run'*) skip=true ;;
        '<!-- file '*)
          file=${line#'<!-- file '}
          file=${file%' -->'}
          ;;
        '<!-- change '*)
          changed=${line#'<!-- change '}
          changed=${changed%' -->'}
          file=$scratch/change
          ;;
        '```'*)
          block=${line#\`\`\`}
          block=${block:-plain}
          : >"$scratch/expected"
          if [ -n "$file" ]; then : >"$file"; fi
          ;;
      esac
    elif [ "$line" = '```' ]; then
      run_gathered
      if [ -n "$changed" ]; then
        change "$changed"
        compile "$changed"
      elif [ "$block" = c ] && [ -n "$file" ]; then compile "$file"; fi
      block='' file='' changed='' skip=false status=0
    elif [ -n "$file" ]; then
      printf '%s\n' "$line" >>"$file"
    elif [ "$block" = console ] && ! $skip; then
      case $line in
        '$ '*)
          run_gathered
          command=${line#\$ }
          ;;
        *) printf '%s\n' "$line" >>"$scratch/expected" ;;
      esac
    fi
  done <"$EO_SRC/$document"
}

start_redis
documents=(
  README.md
  doc/running.md
  doc/strategies.md
  doc/live.md
  doc/tutorial.md
  doc/registration-server.md
  doc/from-erlang.md
  doc/from-p.md
  doc/from-spin.md
  doc/cluster.md
  doc/pairwise.md
  doc/explorers.md
  doc/exports.md
  doc/machines.md
  doc/models.md
  doc/reach.md
  doc/sampling.md
  doc/serve.md
)
for document in "${documents[@]}"; do check "$document"; done

# Links between the documents lead somewhere.
while IFS=: read -r document target; do
  case $target in http* | '#'*) continue ;; esac
  [ -e "$EO_SRC/$(dirname "$document")/${target%%#*}" ] || fail "$document: there is no $target"
done < <(cd "$EO_SRC" && grep -oE '\]\([^)]+\)' README.md CONTRIBUTING.md CHANGELOG.md doc/*.md doc/formats/*.md | sed 's/](\(.*\))/\1/')

# everyorder.3 names every function of the header and every member of eo_options; help.sh looks at everyorder.1.
for name in $(grep -oE '^#define (eo_[a-z_]+|EO_(TEST|TEST_PARAMS|SHARED))\(' "$EO_SRC/include/everyorder/everyorder.h" |
  sed 's/#define \(.*\)(/\1/') eo_self eo_now eo_shared eo_explore eo_live_run eo_param_set; do
  grep -qE "^\.Fn $name\b" "$EO_SRC/man/everyorder.3" || fail "man/everyorder.3 does not describe $name"
done
for field in $(sed -n '/^typedef struct eo_options {/,/^}/{/^}/!p}' "$EO_SRC/include/everyorder/everyorder.h" |
  sed 's|/\*.*||' | grep -oE '[a-z_]+;' | tr -d ';'); do
  grep -qE "^\.It Vt .*Fa $field\b" "$EO_SRC/man/everyorder.3" || fail "man/everyorder.3 does not describe eo_options.$field"
done
sed -n '/^#include <everyorder.h>/,/^\.Ed/p' "$EO_SRC/man/everyorder.3" | sed '/^\.Ed/d' >ping.c
document=man/everyorder.3
compile ping.c
./ping >ping.out || fail "the example of man/everyorder.3 does not pass"

echo "$commands commands run, $failures failures"
[ "$commands" -gt 0 ] && [ "$failures" -eq 0 ]
