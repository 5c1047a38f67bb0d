/* Choices, loops and jumps inside atomic sequences. */
byte a, b, n;
active [2] proctype P() {
  byte i;
again:
  atomic {
    n < 4 -> n++;
    if
    :: a = a + 1
    :: b = b + 1; goto out
    :: i = 1
    fi;
    do
    :: i < 3 -> i++
    :: i > 1 -> break
    od;
    if :: a > 2 -> goto again :: else fi
  };
  i = 0;
  goto again;
out:
  atomic { b > 1; goto last };
  i = 5;
last:
  skip
}
