#!/usr/bin/env bash
# `everyorder serve`: what it lists, a run followed to its end, who may ask, paths that lead out, replays; then 200 watchers,
# slow readers and 100,000 malformed requests: it stays up and its memory stays where it was.
# timeout: 240
# serial: it measures memory, and makes the machine busy
# takes: 9
set -uo pipefail

scratch=$(mktemp -d)
servers=()
cleanup() {
  local pid
  for pid in "${servers[@]}"; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
  rm -rf "$scratch"
}
trap cleanup EXIT
cd "$scratch" || exit 1
unset EO_NO_REEXEC

everyorder=$EO_BUILD/everyorder
findings=$EO_BUILD/examples/findings
client=(python3 "$EO_SRC/tests/integration/serve_client.py")

failures=0
problem() {
  echo "FAILED line ${BASH_LINENO[-2]}: $*"
  head -c 2000 answer 2>/dev/null | sed 's/^/    /'
  failures=$((failures + 1))
}
says() { grep -qE -- "$1" answer || problem "the answer does not say '$1'"; }
silent() { if grep -qE -- "$1" answer; then problem "the answer says '$1'"; fi; }
status() { [ "$(head -n 1 answer)" = "$1" ] || problem "status $(head -n 1 answer), not $1"; }
get() { timeout 60 "${client[@]}" get "$port" "$@" >answer 2>&1; }
post() { timeout 100 "${client[@]}" post "$port" "$@" >answer 2>&1; }
serve() { # OPTIONS...: sets pid, port and url
  : >printed # before it is in the background: what the last one printed must not be read again
  "$everyorder" serve "$@" >printed 2>&1 &
  pid=$!
  servers+=("$pid")
  for _ in $(seq 600); do
    if grep -q ' at http://' printed; then break; fi
    sleep 0.05
  done
  url=$(sed -n 's/^Serving .* at //p' printed)
  port=${url#*://*:}
  port=${port%%/*}
}
stop() {
  kill "$pid"
  wait "$pid" || problem "serve: exit $?"
}

# ---- What there is ----

mkdir shown
"$everyorder" test "$findings" --test 'assertion_in*' --quiet --json shown/one.json --live shown/one.eolive \
  --tickets shown/tickets >/dev/null 2>&1
ticket=tickets/$(ls shown/tickets)
echo '{"name": "not ours"}' >shown/package.json
echo '<!doctype html><title>Everyorder report</title><script>1</script>' >shown/report.html
echo damaged >shown/tickets/damaged.ticket
echo secret >secret.json
ln -s ../secret.json shown/link.json
ln -s .. shown/up
mkdir shown/.hidden
echo '{"everyorder": 1, "tests": []}' >shown/.hidden/h.json
mkfifo shown/pipe.json
python3 -c 'print("{\"everyorder\": 1, \"tests\": [" + ",".join(["{\"test\": \"t\"}"] * 700000) + "]}")' >shown/huge.json

serve shown --listen 127.0.0.1:0
get /api/runs
status 200
says '"path":"one.json","kind":"report".*"verdict":"fail"'
says '"path":"one.eolive","kind":"live".*"state":"done"'
says '"path":"tickets/assertion_in_some_orders-assertion-1.ticket","kind":"ticket".*"finding":"assertion"'
says '"path":"tickets/damaged.ticket".*"damaged":true'
says '"path":"report.html","kind":"html"'
says '"path":"huge.json".*"large":true'
silent 'package.json|link.json|"up|hidden|pipe'
get /
status 200
says "content-security-policy: default-src 'none'; script-src 'self'"
says 'x-content-type-options: nosniff'
get /app.js
says 'content-type: text/javascript'
get /files/report.html
status 200
says 'content-security-policy: sandbox allow-scripts .*script-src .unsafe-inline'
silent 'allow-same-origin'
get /files/one.json
says '"verdict": "fail"'
get /files/huge.json
[ "$(wc -c <answer)" -gt 9000000 ] || problem 'the huge report is not all there'

# ---- Paths that lead out ----

for path in /files/../secret.json /files/%2e%2e/secret.json /files/..%2fsecret.json /files/link.json /files/up/secret.json \
  /files/.hidden/h.json /files//etc/passwd /files/tickets /files/pipe.json /files/one.json/ /files/%00 /files/ \
  /files/./one.json "/files/$scratch/secret.json" '/api/follow?path=../x.eolive' '/api/follow' '/other'; do
  get "$path"
  status 404
  silent '^secret'
done

# ---- A run as it goes on ----

get '/api/follow?path=one.eolive'
status 200
says 'content-type: text/event-stream'
says '^data: \{"event":"finding","kind":"assertion"'
says '^data: \{"event":"done"'
last=$(grep -oE '^id: [0-9]+' answer | tail -n 2 | head -n 1)
get '/api/follow?path=one.eolive' "Last-Event-ID: ${last#id: }"
[ "$(grep -c '^data: ' answer)" -eq 1 ] || problem 'a follower that comes back gets more than what is new'

# Two runs do not write to one log, and one that was killed does not keep it.
"$everyorder" test "$EO_BUILD/examples/philosophers" --strategy dfs --quiet --tickets none --time 20s --live shown/two.eolive >/dev/null 2>&1 &
first=$!
until [ -s shown/two.eolive ]; do sleep 0.05; done
"$everyorder" test "$findings" --test 'assertion_in*' --quiet --tickets none --live shown/two.eolive >answer 2>&1
[ $? -eq 2 ] || problem 'two runs write to one log'
says 'another run is writing to it'
kill -KILL $first
wait $first 2>/dev/null
sleep 0.5
"$everyorder" test "$findings" --test 'assertion_in*' --quiet --tickets none --live shown/two.eolive >answer 2>&1
[ $? -eq 1 ] || problem 'a run that was killed keeps the log'
head -c 100 shown/two.eolive | grep -q '"event":"run"' || problem 'a log is not begun again'

: >shown/now.eolive
timeout 60 "${client[@]}" get "$port" '/api/follow?path=now.eolive' >followed 2>&1 &
follower=$!
sleep 0.5
"$everyorder" test "$EO_BUILD/examples/philosophers" --strategy dfs --quiet --tickets none --time 1s --live shown/now.eolive >/dev/null 2>&1
wait $follower || problem 'the follower did not see the end'
cp followed answer
says '"event":"begin"'
says '"event":"progress"'
says '"event":"end"'
says '^data: \{"event":"done"'

# ---- Replays ----

post "/api/replay?path=$ticket" 'X-Everyorder: 1'
status 200
says 'reproduced: assertion: .*(first < message.tag is false)'
says '\[exit status 1\]'
post "/api/replay?path=$ticket" 'X-Everyorder: 1' "Origin: http://127.0.0.1:$port"
status 200
post "/api/replay?path=$ticket"
status 403
post "/api/replay?path=$ticket" 'X-Everyorder: 1' 'Origin: http://evil.example'
status 403
post "/api/replay?path=$ticket" 'X-Everyorder: 1' 'Sec-Fetch-Site: cross-site'
status 403
get "/api/replay?path=$ticket" 'X-Everyorder: 1'
status 405
post '/api/replay?path=tickets/damaged.ticket' 'X-Everyorder: 1'
status 404
post '/api/replay?path=one.json' 'X-Everyorder: 1'
status 404
post "/files/one.json" 'X-Everyorder: 1'
status 405
for host in evil.example 127.0.0.1.evil.example "evil.example:$port" '' '[::2]' localhost.evil; do
  get / "Host: $host"
  status 421
done
get / "Host: localhost:$port"
status 200

# A program that hangs is stopped: at once when whoever asked is gone, else after a minute, which is looked at below.
cat >hangs.c <<'PROGRAM'
#include <everyorder.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor)) static void hang(void) {
  if (getenv("HANG")) sleep(1000);
}
EO_TEST(fails) { eo_assert(0, "always"); }
PROGRAM
read -ra libraries < <(pkg-config --libs libxxhash jansson hiredis)
cc -g "-I$EO_SRC/include/everyorder" hangs.c -o shown/hangs "$EO_BUILD/libeveryorder.a" "${libraries[@]}" -ldw -lelf -pthread \
  -ldl || problem 'hangs.c'
(cd shown && "$everyorder" test ./hangs --quiet --tickets hang >/dev/null 2>&1)
stop
export HANG=1
serve shown --listen 127.0.0.1:0 --time 15s
unset HANG
ends() { # TEXT: there is no process of the server a moment later
  for _ in $(seq 30); do
    if ! pgrep -P "$pid" >/dev/null; then return; fi
    sleep 0.1
  done
  problem "$1"
}
timeout 20 "${client[@]}" leave "$port" hang/fails-assertion-1.ticket 1
ends 'a replay goes on though nobody listens'
timeout 100 "${client[@]}" post "$port" '/api/replay?path=hang/fails-assertion-1.ticket' 'X-Everyorder: 1' >slow 2>&1 &
slow=$!

# A log that is long already: all findings, and of the progress some; lines that are none of ours are left out.
python3 - <<'LOG' >shown/long.eolive
progress = '{"event":"progress","elapsed_s":%d,"executions":1,"filler":"' + "x" * 150 + '"}'
for i in range(100000):
    print(progress % i)
    if i % 25000 == 0:
        print('{"event":"finding","kind":"crash","message":"%d"}' % i)
print('{"event":"long","filler":"' + "y" * 100000 + '"}')
print('{"event":"control\t"}')
print('{"event":"done"}')
LOG
get '/api/follow?path=long.eolive'
status 200
[ "$(grep -c '"event":"finding"' answer)" -eq 4 ] || problem 'not all findings of a long log'
[ "$(grep -c '"event":"progress"' answer)" -le 1100 ] || problem 'too much progress of a long log'
[ "$(grep -c '"event":"progress"' answer)" -ge 500 ] || problem 'too little progress of a long log'
says '^data: \{"event":"done"'
silent 'event":"(long|control)'

# ---- Load ----

for load in "watchers $port $scratch/shown $pid" "kept $port" "hold $port 150 1" "malformed $port 100000 $pid"; do
  # shellcheck disable=SC2086 # several words
  timeout 150 "${client[@]}" $load >answer 2>&1 || problem "$load"
  tail -n 1 answer
done
kill -0 "$pid" || problem 'the server is gone'
get /api/runs
status 200
wait $slow
cp slow answer
says '\[stopped: it took too long\]'
ends 'a replay that was stopped goes on'
stop

# ---- Tokens ----

serve shown --listen 127.0.0.1:0 --token 0123456789abcdef-T
grep -q 'token that was given' printed || problem 'serve does not say that it asks for the token'
if grep -q 0123456789abcdef-T printed; then problem 'the token that was given is printed'; fi
for path in / /app.js /api/runs /files/one.json "/api/follow?path=one.eolive" '/?token=0123456789abcdef-' '/?token='; do
  get "$path"
  status 401
done
post "/api/replay?path=$ticket" 'X-Everyorder: 1'
status 401
get /api/runs 'Authorization: Bearer 0123456789abcdef-T'
status 200
get /api/runs 'Cookie: everyorder_token=0123456789abcdef-T'
status 200
get '/api/runs?token=0123456789abcdef-T'
status 200
get '/?token=0123456789abcdef-T'
status 303
says 'set-cookie: everyorder_token=.*; httponly; samesite=strict'
get /api/runs 'Authorization: Bearer 0123456789abcdef-t'
status 401
stop

serve shown --listen 0.0.0.0:0
case $url in
  *'/?token='????????????????????????????????) ;;
  *) problem "no token is printed: $url" ;;
esac
get /
status 401
get "/api/runs?token=${url##*=}"
status 200
stop

# ---- Wrong usage ----

refused() { # TEXT ARGUMENTS...
  timeout 10 "$everyorder" serve "${@:2}" >answer 2>&1
  [ $? -eq 2 ] || problem "serve ${*:2}: not refused"
  says "$1"
}
refused 'cannot be served' nowhere
refused 'expected ADDRESS:PORT' --listen nonsense
refused 'must be a number' --listen example.org:80
refused 'at least 16' --token short
serve shown --listen 127.0.0.1:0
refused 'takes a free one' --listen "127.0.0.1:$port"
stop
"$findings" serve >answer 2>&1
says 'there is no command serve'

if [ $failures -gt 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
