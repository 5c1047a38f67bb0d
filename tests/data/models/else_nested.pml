/* An else inside an option that begins a selection is tried before the options behind it. */
byte x, y;
active proctype P() {
  do
  :: x < 2 ->
     if
     :: if :: y > 0 -> x = 2 :: else -> x++ fi
     :: y == 1 -> y = 0
     :: y < 3 -> y++
     fi
  :: else -> break
  od
}
active proctype Q() { do :: y < 2 -> y++ :: y > 1 -> y = 0 :: x == 2 -> break od }
