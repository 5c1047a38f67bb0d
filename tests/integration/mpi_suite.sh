#!/usr/bin/env bash
# tests/mpi-suite counts right: what the headers of programs say against judges whose answers are known.
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

mkdir programs
cp "$EO_SRC"/tests/data/mpi/{one_message,wait_for_each_other,exchange_head_on}.c programs

# says CODE [CLASS]: a judge that always says so.
says() { echo "echo '{\"tests\":[{\"executions\":3,\"errors\":[{\"class\":\"${2-}\"}]}]}' > {json}; exit $1"; }
suite() { # STATUS COMMAND [OPTION...]
  local status=$1 command=$2
  shift 2
  run "$status" "$EO_SRC/tests/mpi-suite" programs -j 2 --json table --command "$command" "$@"
}
row() { # CLASS: TP FP TN FN none right
  jq -r --arg class "$1" '.classes[$class] | "\(.TP) \(.FP) \(.TN) \(.FN) \(.none) \(.right)"' table
}

suite 0 'exit 0'
same "$(row all)" '0 0 3 2 0 0' 'a judge that passes everything'
suite 0 "$(says 1 CallMatching)"
same "$(row all)" '2 3 0 0 0 1' 'a judge that passes nothing'
same "$(row CallMatching)" '1 0 0 0 0 1' 'its class'
same "$(row BufferingHazard)" '1 0 0 0 0 0' 'another class'
same "$(jq '.classes.all | [.recall, .precision] | join(" ")' table)" '"1 0.4"' 'recall and precision'
suite 0 "$(says 3)"
same "$(row all)" '0 0 0 0 5 0' 'a judge that is not through'
suite 0 "$(says 1 NotImplemented)"
same "$(row all)" '0 0 0 0 5 0' 'a judge that lacks a function'
suite 0 'sleep 60' --time 0.1
same "$(row all)" '0 0 0 0 5 0' 'a judge that is too slow'

# What the judge is told of each test; a perfect one passes under --strict.
cat > judge.sh <<'END'
echo "$(basename "$1") $2 $3 ($4)" >> told
case $(basename "$1")/$3 in
  wait*) class=CallMatching ;;
  exchange*/zero) class=BufferingHazard ;;
  *) exit 0 ;;
esac
echo "{\"tests\":[{\"errors\":[{\"class\":\"$class\"}]}]}" > "$5"
exit 1
END
suite 0 'bash judge.sh {source} {ranks} {buffering} "{args}" {json}' --strict
same "$(sort told)" 'exchange_head_on.c 2 both (together)
exchange_head_on.c 2 infinite ()
exchange_head_on.c 2 zero ()
one_message.c 2 both ()
wait_for_each_other.c 2 both ()' 'what the judge is told'
suite 1 'exit 0' --strict

# Programs without a header get their verdicts from a table.
sed '/BEGIN_MBI_TESTS/,/END_MBI_TESTS/d; 1,/\*\//d' programs/one_message.c > programs/bare.c
printf '# file, ranks, verdict, arguments\nbare.c\t5\tRootMatching\t1 2\n' > programs/verdicts.tsv
suite 0 'exit 0' --only bare -v
same "$(jq -r '.tests[0] | "\(.ranks) \(.args | join(",")) \(.expected) \(.cell)"' table)" '5 1,2 RootMatching FN' 'a test of a table'
all_well
