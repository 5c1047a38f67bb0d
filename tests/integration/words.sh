#!/usr/bin/env bash
# Messages in the program's own words: tests/data/words/words.c and words.cc send messages of every make, and the steps are told as in the
# .txt files beside them, whoever compiled them and however; without debug information too, and with a text that would like
# to take over the terminal or the page. With EO_UPDATE=1 the .txt files are written anew.
# takes: 4
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
data=$EO_SRC/tests/data/words

build_words() { # SOURCE COMPILER FLAGS...
  local source=$1 compiler=$2
  shift 2
  "$compiler" "$@" -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" "$data/$source" -o words \
    "-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -Wl,-z,now 2>err || problem "$source: $compiler $*"
}
texts() { # FILE: what the steps of the last test do
  python3 -c 'import json, sys
for step in json.load(open(sys.argv[1]))["tests"][-1]["errors"][0]["steps"]: print(step["text"])' "$1"
}
told() { # GOLDEN WHAT
  run 1 ./words --test shown --strategy dpor --tickets none --json words.json
  texts words.json >told
  if [ -n "${EO_UPDATE-}" ] && [ ! -e "updated.$(basename "$1")" ]; then
    cp told "$1"
    touch "updated.$(basename "$1")"
  fi
  diff "$1" told >difference || { cat difference; problem "$2"; }
}

compilers_c=(gcc) compilers_cc=(g++)
if command -v clang >/dev/null; then compilers_c+=(clang) compilers_cc+=(clang++); fi
for compiler in "${compilers_c[@]}"; do
  for flags in '-O0 -g' '-O2 -g' '-O1 -gdwarf-4'; do
    read -ra words <<<"$flags"
    build_words words.c "$compiler" "${words[@]}"
    told "$data/words.c.txt" "$compiler $flags"
  done
done
for compiler in "${compilers_cc[@]}"; do
  for flags in '-O0 -g' '-O2 -g'; do
    read -ra words <<<"$flags"
    build_words words.cc "$compiler" "${words[@]}"
    told "$data/words.cc.txt" "$compiler $flags"
  done
done

# Linked with the static library, whose units stand among the program's own.
for compiler in "${compilers_c[@]}"; do
  "$compiler" -g "-I$EO_SRC/include/everyorder" "$data/words.c" -o words "$EO_BUILD/libeveryorder.a" \
    -lxxhash -ljansson -lhiredis -ldw -lelf -pthread -ldl -Wl,-z,now 2>err || problem "words.c: $compiler, static"
  told "$data/words.c.txt" "$compiler, static"
done

# Without debug information there are the texts of the calls; bytes are bytes.
build_words words.c gcc -O1
strip words
told "$data/stripped.txt" 'stripped'

# ---- What is strict -------------------------------------------------------------

build_words words.c gcc -g
finds() { # TEST TEXT
  run 1 ./words --test "$1" --strategy dpor --tickets none
  says out "$2"
}
finds strict_send 'misuse: eo_send: STRICT carries vote, which has 16 bytes, but 4 are sent'
finds strict_data 'misuse: eo_data: STRICT carries vote, and is read as struct both_sized'
finds data_of_another_size 'misuse: eo_data: the message with tag 1 has 16 bytes, and int has 4'
finds names 'misuse: eo_name: 12345 is not a process'

# An event announced in the step of a send has its own name and value, and leaves those of the message alone.
for compiler in "${compilers_c[@]}"; do
  for flags in -O0 -O2; do
    build_words words.c "$compiler" -g "$flags"
    run 1 ./words --test announces --strategy dpor --tickets none
    says out 'sends NUMBERS {1, -2} to P1.1; announces VOTE {term = 5, candidate = P1.1}'
    says out 'receives NUMBERS {1, -2} from P1 '
  done
done
build_words words.c gcc -g

# A choice between false and true is told as such.
run 1 ./words --test flips --strategy dpor --tickets none
says out 'flips false at flips'
says out 'flips true at flips'

# A string literal is shown, other pointers are addresses.
run 1 ./words --test pointers --strategy dpor --tickets none
says out 'sends LOCATED {label = "a \"literal\"\x1b[31m", '
grep -Eq 'sends LOCATED \{label = 0x[0-9a-f]{6,}, ' out || problem 'a text that may change is shown'
says out 'sends LOCATED {label = 0x1, '
silent out 'may change'

# ---- Everywhere, and safely -----------------------------------------------------

run 1 ./words --test shown --strategy dpor --tickets tickets --json words.json --sarif words.sarif
ticket=$(echo tickets/*)
cp out shown
run 0 "$everyorder" report "$ticket" --program ./words -o words.html
value='VOTE {term = 4, candidate = P1}'
says shown "sends $value to P1.1 (collector)"
says words.html 'VOTE {term = 4, candidate = P1}'
says words.sarif 'VOTE {{term = 4, candidate = P1}}' # braces are placeholders there
for format in mermaid shiviz dot perfetto; do
  run 0 "$everyorder" export "$ticket" --program ./words --format $format
  sed -i 's/#123;/{/g' out # as mermaid has it
  says out 'VOTE {term = 4, candidate = P1'
  LC_ALL=C grep -q $'\x1b' out && problem "an escape in $format"
done
run 1 "$everyorder" show "$ticket" --program ./words --width 160
says out "$value"
for file in out words.html words.sarif words.json; do
  LC_ALL=C grep -q $'\x1b' $file && problem "an escape in $file"
  LC_ALL=C grep -q $'\xff' $file && problem "what is no UTF-8 in $file"
done
grep -q '31m<b>' words.html && problem 'an element in the page'

# ---- What a process prints --------------------------------------------------------

cat >prints.c <<'PROGRAM'
#include <everyorder.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>
EO_TEST(prints) {
  struct iovec parts[] = {{"ab", 2}, {"cd\n", 3}};
  char *volatile nowhere = (char *)16; /* cannot be read: nothing is shown */
  if (write(1, nowhere, 10) + writev(1, parts, 2) < 0) return;
  printf("%s\n", "by stdio \x1b[31m");
  eo_sleep(1);
  eo_assert(0, "the end");
}
PROGRAM
compile prints.c prints
run 1 ./prints --tickets none --json prints.json
grep -A2 'sleeps 1 ms' out | grep -qF '| abcd' || problem 'what writev wrote is not below its step'
says out '| by stdio \x1b[31m'
says prints.json '"printed": "abcd\nby stdio '
all_well
