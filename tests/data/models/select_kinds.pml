/* select: spin makes options of it, unless it stands in an inline, its variable has an underscore, or it is on two lines. */
byte x, a_b;
inline choose(v) { select (v : 1 .. 3); x = v }
active proctype P() {
  byte k;
  select (k : 1 .. 3);
  select (a_b : 1 .. 3);
  choose(k);
  select (k :
    1 .. 3)
}
