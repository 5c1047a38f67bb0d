/* printf is a step; skips in a row in an option are one. */
mtype = {m1}; byte x;
active [2] proctype P() {
  printf("hello %d %e\n", x, m1);
  if :: skip; skip; skip; x++ :: printf("a\n"); printf("b\n"); skip; x = 2 :: true; skip; x = 3 fi;
  printm(m1);
  skip; skip
}
