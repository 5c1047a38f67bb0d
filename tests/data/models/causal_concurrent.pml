/* Two messages that know nothing of each other: under every delivery either comes first. */
mtype={x,w}; bool a;
chan C=[4] of {mtype};
active proctype P(){ C!x }
active proctype R(){ C!w }
active proctype S(){ mtype m,n; C?m; C?n; assert(m==x) }
