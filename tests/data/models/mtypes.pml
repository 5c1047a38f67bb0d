/* Two lists of names, mtype variables and fields. */
mtype = {red, green};
mtype = {blue, none};
mtype light = none;
chan c = [1] of {mtype};
active proctype P() { do :: c!red :: c!green :: c!blue; break od }
active proctype Q() {
  mtype m;
  do :: c?m -> light = m; assert(m != none); if :: m == blue -> break :: else fi :: c?eval(light) od;
  assert(green < red && none < blue && red < none)
}
