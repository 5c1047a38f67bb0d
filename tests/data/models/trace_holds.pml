/* A trace that holds, by rendezvous, and ends. */
chan c = [0] of {byte, bool};
active proctype A() { c!1,true; c!2,false }
active proctype B() { byte x; bool y; c?x,y; c?eval(x + 1),y }
trace { c!1,_; c?1,true; c!_,false; c?2,_ }
