/* for, for over an array, select: between constants and between others. */
byte a[3], sum; int i, j;
active proctype P() {
  byte top = 2;
  for (i : 1 .. 3) { a[i - 1] = i * i; if :: i == 2 -> skip :: else -> sum++ fi };
  for (i in a) { sum = sum + a[i] };
  select (j : 0 .. 2);
  sum = sum + a[j];
  select (j : 1 .. top + 1);
  for (i : 0 .. j) { if :: i == 1 -> break :: else fi; byte loc; loc++; sum = sum + loc };
  assert(sum < 100)
}
