#!/usr/bin/env bash
# `everyorder pairwise`: what it writes in each format, existing tests, the checker, PICT's options, and what it says of
# bad input, word for word.
# takes: 6
set -uo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
everyorder=$EO_BUILD/everyorder

failures=0
problem() {
  echo "FAILED line ${BASH_LINENO[-2]}: $*" >&2
  failures=$((failures + 1))
}
pairwise() { # STATUS ARGUMENT...: into out and err
  local expected=$1 status=0
  shift
  timeout -s KILL 60 "$everyorder" pairwise "$@" >out 2>err || status=$?
  [ $status -eq "$expected" ] || problem "exit $status instead of $expected: pairwise $*: $(head -n 3 err)"
}
says() { # TEXT: one of the lines on standard error, after the name of the command
  grep -qxF "everyorder: $1" err || problem "no '$1' but: $(cat err)"
}
prints() { # TEXT: a line of the output
  grep -qxF -- "$1" out || problem "no line '$1' but: $(head -n 20 out)"
}
same() { # FILE FILE
  cmp -s "$1" "$2" || problem "$1 and $2 differ: $(diff "$1" "$2" | head -n 5)"
}
rows() { wc -l <"$1" | awk '{ print $1 - 1 }'; }
covers() { # MODEL TESTS [OPTION...]: all of it
  pairwise 0 --check "$@"
  grep -qE '^[0-9]+ tests?: ([0-9,]+) of \1 combinations .* 0 rows broken' out || problem "not covered: $(tail -n 1 out)"
}
tabs() { # LINE...: blanks become tabs
  printf '%s\n' "$@" | tr ' ' '\t'
}

cat >volumes <<'END'
# The example of PICT's own documentation.
Type:          Single, Span, Stripe, Mirror, RAID-5
Size:          10, 100, 500, 1000, 5000, 10000, 40000
Format method: Quick, Slow
File system:   FAT, FAT32, NTFS
Cluster size:  512, 1024, 2048, 4096, 8192, 16384, 32768, 65536
Compression:   On, Off

IF [File system] = "FAT"   THEN [Size] <= 4096;
IF [File system] = "FAT32" THEN [Size] <= 32000;
END
printf 'A: 1, 2, 3\nB: x, y | z\nC: 1, 2, ~9\n\nIF [B] = "x" THEN [C] = 1 OR [C] = 9;\n' >small

# ---- Sets and their order --------------------------------------------------------------------------------------------

for algorithm in best ipo; do
  pairwise 0 volumes --algorithm $algorithm
  cp out tests
  covers volumes tests
  [ "$(rows tests)" -ge 56 ] && [ "$(rows tests)" -le 62 ] || problem "$algorithm: $(rows tests) tests"
  for order in 1 3; do
    pairwise 0 volumes --order $order --algorithm $algorithm --effort fast
    cp out tests
    covers volumes tests --order $order
  done
done
pairwise 0 small --algorithm ipo-ec
cp out tests
covers small tests
pairwise 0 small --order max
cp out all
covers small all --order 3
[ "$(rows all)" -eq 15 ] || problem "all: $(rows all)"
pairwise 0 - <small
cp out tests
covers small tests

# The same seed gives the same tests; time does not matter unless it is asked for.
pairwise 0 volumes --seed 7
cp out first
pairwise 0 volumes --seed 7
same out first
pairwise 0 volumes --effort fast --seed 7
cp out first
pairwise 0 volumes --effort fast /r:7
same out first
pairwise 0 volumes --effort 0.2s
cp out tests
covers volumes tests

# Sub-models and relations.
printf 'A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nD: 1,2\nE: 1,2\n\n{ A, B, C } @ 3\n\nIF [A] = 1 THEN [D] = 1;\n' >grouped
pairwise 0 grouped
cp out tests
covers grouped tests
[ "$(cut -f 1-3 tests | tail -n +2 | sort -u | wc -l)" -eq 27 ] || problem 'the sub-model has 27 tests'
# A sub-model that no constraint names has no tests but its own, and one with constraints has what `off` forces among the
# fewest that it needs: 9 times 9 tests, and one for `on` with the only test that goes with `off`.
printf 'A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nD: 1,2,3\nE: 1,2,3\nF: 1,2,3\nG: on,off\n\n' >forced
printf '{ A, B, C } @ 2\n{ D, E, F } @ 2\n\nIF [G] = "off" THEN [D] = 1 AND [E] = 1 AND [F] = 1;\n' >>forced
pairwise 0 forced --seed 1
cp out tests
covers forced tests
[ "$(rows tests)" -eq 82 ] || problem "forced: $(rows tests)"
printf 'A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nD: 1,2\nE: 1,2\n\nrelation { A, B, C } @ 2\nrelation { D, E }\n' >related
pairwise 0 related
cp out tests
covers related tests
[ "$(rows tests)" -eq 9 ] || problem "relations: $(rows tests)"

# ---- Formats ---------------------------------------------------------------------------------------------------------

printf 'A: 1, 2\nB: x\n' >tiny
pairwise 0 tiny
tabs 'A B' '1 x' '2 x' >expected
same out expected
pairwise 0 tiny --output csv
printf 'A,B\n1,x\n2,x\n' >expected
same out expected
pairwise 0 tiny --output tap
prints 'TAP version 13'
prints '1..2'
for format in json csv text; do # what is written can be read again
  pairwise 0 small --output $format
  cp out tests
  covers small tests
done
pairwise 0 small --output json
jq -e '.tests | length > 0 and all(has("A") and has("B") and has("C"))' out >/dev/null || problem "JSON: $(cat out)"

# ---- Existing tests -----------------------------------------------------------------------------------------------------

pairwise 0 volumes
cp out tests
pairwise 0 volumes --existing tests
same out tests
[ ! -s err ] || problem "nothing was to be said: $(cat err)"
head -n 11 tests >some
pairwise 0 volumes --existing some
head -n 11 out >kept
same kept some
cp out completed
covers volumes completed

tabs 'A C' '3 2' '1 ' >some # partial rows, a parameter that is new
pairwise 0 small --existing some
grep -qE $'^3\t[yz]\t2$' <(sed -n 2p out) || problem "the first row: $(sed -n 2p out)"
grep -qE $'^1\t' <(sed -n 3p out) || problem "the second row: $(sed -n 3p out)"
cp out tests
covers small tests

tabs 'A B C' '1 x 2' '2 q 1' '3 y 2' '7 y 1' >some # a constraint, a value and another one that changed
pairwise 0 small --existing some
says 'dropped row 1: it breaks IF [B] = "x" THEN [C] = 1 OR [C] = 9; (line 5)'
says "some:3:3: 'q' is no value of B: left out"
says "some:5:1: '7' is no value of A: left out"
[ "$(sed -n 3p out)" = $'3\ty\t2' ] || problem "not kept: $(cat out)"
cp out tests
covers small tests
tabs 'A B C' '1 y ~9' >some
pairwise 0 small --existing some
[ "$(sed -n 2p out)" = $'1\ty\t~9' ] || problem "an invalid value was not kept: $(cat out)"

tabs 'A B X' '1 y 1' >some
pairwise 2 small --existing some
says "some:1:5: 'X' is no parameter of the model; to ignore a column that is no parameter any more: --drop-unknown"
pairwise 0 small --existing some --drop-unknown
says "some:1:5: 'X' is no parameter of the model: left out"
[ "$(sed -n 2p out | cut -f 1-2)" = $'1\ty' ] || problem "not kept: $(cat out)"
pairwise 0 small /e:some
says "some:1:5: 'X' is no parameter of the model: left out"

# ---- The checker -----------------------------------------------------------------------------------------------------

tabs 'A B C' '1 x 1' '2 y 2' '2 x 2' '3 y 1' '1 x 1' >some
pairwise 1 --check small some
prints 'missing A: 1, B: y'
prints 'test 3 breaks IF [B] = "x" THEN [C] = 1 OR [C] = 9;'
prints '5 tests: 9 of 20 combinations of 2 values covered, 1 impossible; 1 row broken, 2 could be left out'
pairwise 1 --check small some --output json
jq -e '.covered == 9 and .wanted == 20 and .broken == 1' out >/dev/null || problem "JSON: $(cat out)"
tabs 'A B C' '1 q 1' >some
pairwise 2 --check small some
says "some:2:3: 'q' is no value of B"
pairwise 2 --check small
says 'pairwise --check needs two files: MODEL and TESTS'

# ---- What is impossible ---------------------------------------------------------------------------------------------------

pairwise 0 volumes --explain
prints 'Size=5000, File system=FAT: IF [File system] = "FAT" THEN [Size] <= 4096; (line 9)'
prints 'Size=40000, File system=FAT32: IF [File system] = "FAT32" THEN [Size] <= 32000; (line 10)'
prints '4 of 287 combinations are impossible'

# ---- PICT's options ---------------------------------------------------------------------------------------------------------

pairwise 0 volumes /o:1
cp out one
pairwise 0 volumes --order 1
same out one
pairwise 0 volumes -o:1
same out one
pairwise 0 small /o:max
same out all
printf 'A: 1; 2\nB: a/b; !c\n' >other
pairwise 0 other '/d:;' /a:/ '/n:!'
cp out tests
grep -q '!c' tests || problem "an invalid value keeps its sign: $(cat tests)"
grep -qx $'1\ta\|2\ta\|1\tb\|2\tb' tests || problem "aliases: $(cat tests)"
printf 'A "q": 1, ~2\nB: x\n' >quoted
pairwise 0 quoted /F:json
printf '%s\n' '[' '  [' '    {' '      "key": "A \"q\"",' '      "value": "1"' '    },' '    {' '      "key": "B",' \
  '      "value": "x"' '    }' '  ],' '  [' '    {' '      "key": "A \"q\"",' '      "value": "~2"' '    },' '    {' \
  '      "key": "B",' '      "value": "x"' '    }' '  ]' ']' >json
same out json
pairwise 0 tiny /s
prints 'Combinations:    2'
prints 'Generated tests: 2'
pairwise 0 tiny /r
grep -qE '^Used seed: [0-9]+$' err || problem "no seed: $(cat err)"
printf 'A: 1, 2\nB: x, X\n' >cases
pairwise 0 cases /c
pairwise 2 tiny /o
says '/o: expected a whole number from 1 on after the colon, or max'
pairwise 2 tiny /d:ab
says '/d:ab: expected one character after the colon, or tab, or space'
pairwise 2 tiny /f:xml
says '/f:xml: expected /f:text or /f:json; --output knows more formats'
pairwise 2 tiny /v
says '/v is an option of PICT that means nothing here: leave it out'
pairwise 2 tiny /c:1
says '/c takes no value'

printf 'A: 1\t2\nB: a\tb\n' >tabbed
pairwise 0 tabbed /D:tab
[ "$(rows out)" -eq 4 ] || problem "separated by tabs: $(cat out)"

# /r gives another set, and the same seed the same.
pairwise 0 volumes /r:1
cp out first
pairwise 0 volumes /r:1
same out first
pairwise 0 volumes /r:2
cmp -s out first && problem "/r:1 and /r:2 give the same set"
covers volumes first

# A value that constraints rule out is told, and so is a constraint that says nothing.
printf 'A: 1, 2, 3\nB: x, y\n\n[A] <> 3;\nIF [Q] = 1 THEN [B] = "x";\n' >ruled
pairwise 0 ruled
says 'warning: no test can have A=3: [A] <> 3; (line 4)'
says "warning: ruled:5:4: there is no parameter 'Q': the constraint is left out"
# So are combinations that no constraint forbids alone, the smallest ones, and no more than five.
printf 'A: 1, 2, 3\nB: 1, 2, 3\nC: 1, 2\n\nIF [A] = 1 THEN [B] = 1;\nIF [B] = 1 THEN [C] = 1;\n' >ruled
pairwise 0 ruled --order 3
says 'warning: no test can have A=1, C=2: IF [A] = 1 THEN [B] = 1; (line 5) and IF [B] = 1 THEN [C] = 1; (line 6)'
[ "$(grep -c 'no test can have' err)" -eq 1 ] || problem "more is told than constraints imply: $(cat err)"
awk 'BEGIN {
  for (i = 0; i < 9; i++) print "P" i ": 1, 2, 3"
  for (i = 0; i < 8; i++) print "IF [P" i "] = 1 THEN [P" i + 1 "] = 1;"
}' >ruled
pairwise 0 ruled
[ "$(grep -c 'no test can have' err)" -eq 5 ] || problem "not five combinations are told: $(cat err)"
says 'warning: and more combinations: --explain lists them'

# ---- Hard models -------------------------------------------------------------------------------------------------------------

# Parameters that constraints tie to others cost nothing.
for i in 1 2 3 4 5 6 7 8; do echo "P$i: 0, 1, 2, 3"; done >alone
{ cat alone; for i in 1 2 3 4 5 6 7 8; do echo "Q$i: a, b, c, d"; done; for i in 1 2 3 4 5 6 7 8; do
  for v in 0:a 1:b 2:c 3:d; do echo "IF [P$i] = ${v%:*} THEN [Q$i] = \"${v#*:}\";"; done
done; } >tied
pairwise 0 alone
cp out tests
pairwise 0 tied
[ "$(rows out)" -eq "$(rows tests)" ] || problem "tied: $(rows out) tests, $(rows tests) without what is tied"
cp out tests
covers tied tests

# Here no single value of a row can change: any two neighbours differ by at most one. The search must rewrite rows.
for i in 1 2 3 4 5 6 7 8 9; do echo "C$i: 0, 1, 2, 3"; done >chain
for i in 1 2 3 4 5 6 7 8; do
  for v in 0 1 2 3; do echo "IF [C$i] = $v THEN [C$((i + 1))] >= $((v - 1)) AND [C$((i + 1))] <= $((v + 1));"; done
done >>chain
pairwise 0 chain --effort fast
cp out quick
pairwise 0 chain
cp out tests
[ "$(rows tests)" -le "$(rows quick)" ] || problem "more effort, more tests: $(rows quick), $(rows tests)"
covers chain tests
pairwise 0 chain --order 3
cp out tests
covers chain tests --order 3

# What cannot end in time says so; a signal ends it at once.
awk 'BEGIN { for (i = 0; i < 1000; i++) print "P" i ": a, b, c, d" }' >wide
pairwise 2 wide --order 3 --effort 1s
grep -qE '^everyorder: after 1 s there is no complete set yet, only one of [0-9]+ tests for [0-9]+ of 1000 parameters: ' err ||
  problem "no word on the time: $(cat err)"
"$everyorder" pairwise wide --order 3 >out 2>err &
running=$!
sleep 1
kill -TERM $running
(sleep 20 && kill -KILL $running) 2>/dev/null &
watcher=$!
wait $running
[ $? -eq 2 ] || problem "stopped during growth: exit $?: $(cat err)"
kill $watcher 2>/dev/null
grep -qE '^everyorder: stopped before there was a whole set' err || problem "no word on the signal: $(cat err)"
grep -qE '^everyorder: about [0-9,]+ tests, and about ' err || problem "no estimate: $(cat err)"
pairwise 2 wide --order 5
grep -qE '^everyorder: there are about .* hours. Lower the order' err || problem "not refused: $(cat err)"

# Twenty thousand parameters of two values: no set is smaller than 18 tests (Kleitman and Spencer), and this takes seconds. And
# with constraints, checked.
awk 'BEGIN { for (i = 0; i < 20000; i++) print "P" i ": a, b" }' >wide
pairwise 0 wide --effort fast
[ "$(wc -l <out)" -eq 19 ] || problem "2^20000: $(wc -l <out) lines instead of 19"
awk 'BEGIN {
  for (i = 0; i < 1500; i++) print "P" i ": a, b" (i % 3 ? ", c" : "")
  for (i = 0; i < 1500; i += 10) print "IF [P" i "] = \"a\" THEN [P" (i * 7 + 5) % 1500 "] <> \"b\";"
}' >wide
pairwise 0 wide --effort fast
cp out tests
pairwise 0 --check wide tests

# Where there is nothing to write before the end, a signal just ends the command.
timeout -s TERM -k 5 1 "$everyorder" pairwise --check wide tests --order 3 >out 2>err
[ $? -eq 124 ] || problem "a check goes on after a signal: $(cat err)"

# ---- Under the name pict -----------------------------------------------------------------------------------------------------

ln -s "$everyorder" pict
pict() { # STATUS ARGUMENT...: into out and err
  local expected=$1 status=0
  shift
  timeout -s KILL 60 ./pict "$@" >out 2>err || status=$?
  [ $status -eq "$expected" ] || problem "exit $status instead of $expected: pict $*: $(head -n 3 err)"
}
pict 0 volumes /O:2 /v -p /x:3 /r:z
pict 3
pict 3 '/?'
grep -q '^Usage: pict MODEL' out || problem "no usage: $(cat out)"
for bad in o:2 --order /o:0 /o:a '/o: ' /d: /d:ab /r: /s:1 /f:xml /q; do pict 3 volumes "$bad"; done
pict 3 volumes /o:1 /O:1
pict 4 nothing
pict 4 volumes /o:9
pict 4 '--?'
printf 'A: 1, 2\nB: 1, 2\n\n[A] = ;\n' >bad
pict 5 bad
printf 'A: 1, 2\nB: 1, 2\n\n[A] = 1;\n[A] = 2;\n' >bad
pict 5 bad
pict 6 tiny /e:nothing
printf 'A: 1, 2\nB: 1, 2\nC: 1\n{ A, B } @ 2\n' >bad
pict 4 bad /o:3
pict 0 bad /o:2
: >nobody
pict 0 tiny /e:nobody
pict 0 volumes
cp out tests
tail -n +2 tests | cat tests - >double
pict 0 volumes /e:double # what covers nothing new is left out, as PICT does
same out tests
grep -qx "pict: dropped $(rows tests) rows that cover nothing new" err || problem "not told: $(cat err)"
pict 0 small /o:max /e:tests
[ "$(rows out)" -eq 15 ] || problem "all, with existing tests: $(rows out)"
pict 6 small /o:max /e:nothing
pict 0 tiny /s # in PICT's shape
[ "$(sed 's/time:.*/time/' out)" = $'Combinations:   2\nGenerated tests:2\nGeneration time' ] || problem "statistics: $(cat out)"

# ---- Bad input ---------------------------------------------------------------------------------------------------------------

printf 'A: 1, 2\nB: 1, 2\n\nIF [A] = 1 THEN [B = 2;\n' >bad
pairwise 2 bad
grep -qE '^everyorder: bad:4:[0-9]+: ' err || problem "no line and column: $(cat err)"
printf 'A: 1, 2\nB: 1\nA: 3\n' >bad
pairwise 2 bad
grep -qE '^everyorder: bad:3:[0-9]+: ' err || problem "a name twice: $(cat err)"
printf 'A: 1, 2\nB: 1, 2\n\n[A] = 1;\nIF [A] = 1 THEN [B] = 2;\n[B] <> 2;\n[B] < 5;\n' >bad
pairwise 2 bad
says 'there is no valid test: these constraints exclude each other: [A] = 1; (line 4) and IF [A] = 1 THEN [B] = 2; (line 5) and [B] <> 2; (line 6)'
pairwise 2 small --order 4
says 'the order is 4, but the model has only 3 parameters'
pairwise 2 small --order 0
says 'the order is 0: it must be from 1 to 6'
pairwise 2 small --order two
says '--order two: expected a whole number from 1 to 6, or max'
pairwise 2 small --effort much
says '--effort much: expected fast, best, or a time such as 30s'
pairwise 2 small --algorithm aetg
says "--algorithm aetg: expected best, ipo or ipo-ec"
pairwise 2 small other
says 'one argument too many: other; to check tests: --check MODEL TESTS'
pairwise 2 no-such-file
says 'no-such-file cannot be read: No such file or directory'
pairwise 2
says 'pairwise needs MODEL'
pairwise 2 small --existing no-such-file
says 'no-such-file cannot be read: No such file or directory'
: >empty
pairwise 2 empty
pairwise 2 /dev/urandom
pairwise 2 small --check --order 2
for ((i = 0; i < 40; i++)); do echo "P$i: 0, 1"; done >many
pairwise 2 many --order max
says 'all combinations are more than 1,000,000 tests: that is more than 1,000,000; choose an order instead'

# Ctrl-C ends the search and prints what there is.
for ((i = 0; i < 20; i++)); do echo "P$i: 0,1,2,3,4,5,6,7,8,9"; done >large
timeout -s INT 2 "$everyorder" pairwise large --effort 50s >out 2>err
cp out tests
covers large tests

if [ $failures -gt 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
echo 'all as expected'
