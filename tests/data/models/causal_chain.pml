/* x was sent to C before anything that led to w: under causal delivery it is received first; under fifo and async not. */
mtype={x,y,z,w};
chan A=[4] of {mtype}; chan B=[4] of {mtype}; chan C=[4] of {mtype};
active proctype P(){ C!x; A!y }
active proctype Q(){ mtype m; A?m; B!z }
active proctype R(){ mtype m; B?m; C!w }
active proctype S(){ mtype m,n; C?m; C?n; assert(m==x && n==w) }
