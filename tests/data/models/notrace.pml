/* A notrace: two sends in a row, which happen; and what is begun with another event is done with. */
chan c = [2] of {byte};
active proctype A() { byte i; do :: i < 3 -> c!i; i++ :: i == 3 -> break od }
active proctype B() { byte x; end: do :: c?x od }
notrace {
end:
  if
  :: c!0 -> end1: c?0; end2: c!1
  :: c?2
  fi
}
