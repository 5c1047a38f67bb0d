/* Executions that end: what holds in the last state holds for ever. */
byte n;
active proctype P() { do :: n < 3 -> n++ :: n > 0 -> break od }
active proctype Q() { (n == 3); n = 7 }
ltl seven { <> (n == 7) }
ltl stays { <> [] (n > 0) }
ltl three { <> [] (n == 3) }
ltl falls { [] (n == 7 -> [] (n == 7)) }
