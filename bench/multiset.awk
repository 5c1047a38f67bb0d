# usage: cpp -P MODEL | awk -v most=N -f bench/multiset.awk
# Writes a model of examples/models whose channels are those of the asynchronous delivery, for spin, which knows only
# channels in order: a channel is a multiset, kept sorted by `!!`, and a receive takes any message that it accepts. That is
# a choice between all messages there can be, with values from 0 to N, each by `??`, which takes the message wherever it
# is; what is received is stored in the same atomic step, so that the states are those of the model and no others.
function put(text) { options = options "\n     :: " text }
function enumerate(channel, fields, count, i, sent, stored, value, more) {
  while (i <= count && fields[i] ~ fixed) sent = sent (i > 1 ? "," : "") fields[i++]
  if (i > count) {
    put(channel "??" sent (stored == "" ? "" : " -> " stored))
    return
  }
  for (value = 0; value <= most; value++) {
    more = stored (stored == "" ? "" : "; ") fields[i] " = " value
    enumerate(channel, fields, count, i + 1, sent (i > 1 ? "," : "") value, more)
  }
}
function receive(text, at, channel, fields, count, i) {
  at = index(text, "?")
  channel = substr(text, 1, at - 1)
  count = split(substr(text, at + 1), fields, ",")
  for (i = 1; i <= count; i++) gsub(/^ +| +$/, "", fields[i])
  options = ""
  enumerate(channel, fields, count, 1, "", "")
  return "atomic { if" options "\n     fi }"
}
BEGIN { fixed = "^[0-9]+$" }
/^mtype *=/ {
  names = $0
  sub(/^[^{]*\{ */, "", names)
  sub(/ *\}.*/, "", names)
  gsub(/ *, */, "|", names)
  fixed = "^([0-9]+|" names ")$"
}
/^chan / { sub(/\[[^\]]*\] of/, "[12] of") }
{
  line = $0
  done = ""
  while (match(line, /[A-Za-z0-9_\]]!/)) { # not the `!` of a condition, before which there is a space or a bracket
    done = done substr(line, 1, RSTART + 1) "!"
    line = substr(line, RSTART + 2)
  }
  line = done line
  done = ""
  while (match(line, /[A-Za-z_][A-Za-z_0-9]*(\[[^\]]*\])?\?[A-Za-z_][A-Za-z_0-9, ]*/)) {
    done = done substr(line, 1, RSTART - 1) receive(substr(line, RSTART, RLENGTH))
    line = " " substr(line, RSTART + RLENGTH)
  }
  print done line
}
