#!/usr/bin/env bash
# Every kind of finding becomes a ticket, and every ticket the same finding again; what is damaged, changed or not there
# is refused.
# takes: 8
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

findings=$EO_BUILD/examples/findings

# ---- Each test that fails, by the kind that its name begins with --------------------------------------------------------

kind_of() { # TEST
  case $1 in
    assertion_*) echo assertion ;;
    crash_*) echo crash ;;
    stack_overflow*) echo 'stack overflow' ;;
    exit_*) echo exit ;;
    abnormal_*) echo 'abnormal exit' ;;
    deadlock_*) echo deadlock ;;
    endless_private_loop) echo 'endless loop' ;;
    endless_execution) echo depth ;;
    sharing_*) echo 'hidden sharing' ;;
    out_of_bounds_*) echo 'out of bounds' ;;
    misuse_*) echo misuse ;;
    leak) echo leak ;;
    unhandled) echo unhandled ;;
    liveness*) echo liveness ;;
    nondeterminism_*) echo nondeterminism ;;
    outside_*) echo outside ;;
    clean_*) echo clean ;;
    *) echo unknown ;;
  esac
}

declare -A seen=()
while read -r name _; do
  kind=$(kind_of "$name")
  seen[$kind]=1
  options=()
  case $name in
    leak) options=(--leaks) ;;
    endless_private_loop) options=(--watchdog 300ms) ;;
    endless_execution) options=(--depth 50 --depth-fails) ;; # the ticket must remember it
    deadlock_of_two) options=(--timeouts idle) ;;
  esac
  case $kind in
    unknown)
      problem "what does $name show?"
      continue
      ;;
    clean) # nothing to replay
      run 0 "$everyorder" test "$findings" --test "$name" --quiet --tickets "t-$name" "${options[@]}"
      [ ! -e "t-$name" ] || problem "$name wrote a ticket"
      continue
      ;;
  esac
  run 1 "$everyorder" test "$findings" --test "$name" --quiet --tickets "t-$name" "${options[@]}"
  tickets=("t-$name"/*.ticket)
  if [ ${#tickets[@]} -ne 1 ] || [ ! -f "${tickets[0]}" ]; then
    problem "$name: not one ticket"
    continue
  fi
  ticket=${tickets[0]}
  grep -qx "kind: $kind" "$ticket" || problem "$name shows '$(sed -n 's/^kind: //p' "$ticket")', not '$kind'"
  says out "everyorder replay $ticket" # the command to type
  if [ "$kind" = nondeterminism ]; then
    run 3 "$everyorder" replay "$ticket"
    says out 'not reproduced: the ticket says nondeterminism'
    continue
  fi
  run 1 "$everyorder" replay "$ticket"
  says out "reproduced: $kind: "
  silent out 'not reproduced'
  cp out first
  run 1 "$everyorder" replay "$ticket"
  # The program itself replays it too, and a second time looks as the first did.
  cmp -s out first || problem "$name: two replays differ"
  run 1 "$findings" replay "$ticket"
  says out "reproduced: $kind: "
done < <("$everyorder" list "$findings")
for kind in assertion crash 'stack overflow' exit 'abnormal exit' deadlock 'endless loop' depth 'hidden sharing' misuse \
  leak nondeterminism clean; do
  [ -n "${seen[$kind]-}" ] || problem "no example shows '$kind'"
done

# ---- --until -------------------------------------------------------------------------------------------------------------

ticket=$(echo t-assertion_in_some_orders/*.ticket) # 6 steps
run 3 "$everyorder" replay "$ticket" --until 2
says out 'stopped after step 2 of 6'
[ "$(grep -cE '^ +[> ] +[0-9]+  P1' out)" -eq 2 ] || problem 'not 2 steps are shown'
run 1 "$everyorder" replay "$ticket" --until 6
says out 'reproduced: assertion'
run 2 "$everyorder" replay "$ticket" --until 7
says err '6 steps'
run 2 "$everyorder" replay "$ticket" --until 0
run 2 "$everyorder" replay "$ticket" --until x

# ---- Another program -----------------------------------------------------------------------------------------------------

cp "$findings" copy
run 1 ./copy --test assertion_in_some_orders --tickets copied
run 1 "$everyorder" replay copied/*.ticket
mkdir elsewhere
cp copy elsewhere/same
run 1 "$everyorder" replay copied/*.ticket --program elsewhere/same # the same program under another name
printf x >>copy
run 2 "$everyorder" replay copied/*.ticket
says err 'another build'
run 2 ./copy replay copied/*.ticket
says err 'another build'
rm copy
run 2 "$everyorder" replay copied/*.ticket
says err '--program PATH'
run 2 "$everyorder" replay copied/*.ticket --program nowhere
run 2 "$everyorder" replay copied/*.ticket --program /bin/true
run 2 "$everyorder" replay copied/*.ticket --program "$EO_BUILD/examples/listing_4_2"

# ---- Damage ----------------------------------------------------------------------------------------------------------------

refused() { # FILE WHAT
  run 2 "$everyorder" replay "$1"
  [ -s err ] || problem "$2: refused without a word"
  grep -q ticket err || problem "$2: the message does not speak of a ticket"
  silent out reproduced
}
size=$(stat -c %s "$ticket")
for ((length = 0; length < size - 1; length += 7)); do
  head -c "$length" "$ticket" >damaged
  refused damaged "cut after $length of $size bytes"
done
head -c $((size - 2)) "$ticket" >damaged
refused damaged 'the last two bytes cut off'
flip() { # AT BIT: one bit of the ticket, into `damaged`
  local byte
  byte=$(od -An -tu1 -j "$1" -N 1 "$ticket")
  {
    head -c "$1" "$ticket"
    # shellcheck disable=SC2059 # the format is the byte
    printf "$(printf '\\x%02x' $((byte ^ 1 << $2)))"
    tail -c +$(($1 + 2)) "$ticket"
  } >damaged
}
for ((at = 0; at < size - 1; at += 11)); do
  flip $at $((at % 8))
  refused damaged "bit $((at % 8)) of byte $at flipped"
done
sed 's/^everyorder ticket 4$/everyorder ticket 5/' "$ticket" >damaged
refused damaged 'a later version'
cat "$ticket" "$ticket" >damaged
refused damaged 'twice'
head -c 100000 /dev/urandom >damaged
refused damaged 'random bytes'
: >damaged
refused damaged 'an empty file'
run 2 "$everyorder" replay no/such.ticket
says err 'no/such.ticket'
run 2 "$everyorder" replay "$scratch"
run 2 "$everyorder" replay "$ticket" "$ticket"
run 2 "$everyorder" replay

all_well
