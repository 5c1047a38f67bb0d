/* Accept and progress labels. */
byte x;
bool turn;
active proctype A() {
  do
  :: !turn -> progress_a: x = (x + 1) % 3; turn = 1
  :: x == 2 -> accept_a: x = 0
  od
}
active proctype B() {
  do
  :: turn -> turn = 0
  :: x == 1 -> x = 1
  od
}
