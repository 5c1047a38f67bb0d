/* Sets of names that count from 1 each, as variables, fields, parameters and in messages; a name before its set. */
mtype = {one, two};
mtype:fruit favourite;
mtype:fruit = {apple, pear};
mtype:size = {small, large};
mtype:fruit = {plum};
typedef Basket { mtype:fruit what; mtype:size how };
Basket basket;
chan c = [1] of {mtype, mtype:fruit, mtype:size, byte};

proctype taker(mtype:fruit wanted; mtype n) {
  mtype:fruit got;
  mtype:size big;
  do
  :: c?n, got, big, _ -> assert(big == large || got == wanted)
  :: c?<two, plum, big, 3> -> break
  od
}

init {
  favourite = plum;
  run taker(pear, one);
  c!one, apple, large, 1;
  c!one, favourite, large, 2;
  if
  :: basket.what = pear; basket.how = small
  :: basket.what = plum; basket.how = large
  fi;
  c!two, basket.what, basket.how, 3;
  assert(apple == two && plum == 3 && small == 2)
}
