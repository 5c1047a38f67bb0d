/* Inlines with arguments, variables and labels of their own. */
byte x, y; chan c = [2] of {byte};
inline add(to, what) { byte t; t = what; again: if :: t > 3 -> t--; goto again :: else fi; to = to + t }
inline twice(v) { add(x, v); add(v, 2) }
active [2] proctype P() { byte m = 5; twice(m); c!m; add(y, x) }
