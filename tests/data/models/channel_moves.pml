/* A d_step makes a variable another channel: who sends to it now sends to the one of somebody else. */
chan q = [1] of {byte};
chan moved = [1] of {byte};
bool ready;
active proctype Fills() { ready; end: q!4 }
active proctype Uses() { ready; end: moved!5; assert(len(moved) == 0) }
active proctype Moves() { d_step { moved = q; ready = true } }
