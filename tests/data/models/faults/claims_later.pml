/* Whether a claim is violated depends on which processes are there, and on what they claim by then. */
chan q = [2] of {byte};
chan r = [2] of {byte};
proctype Claims() { chan own; xs own; own = r; own = q; own = r; q?_ }
active proctype Sends() { q!1; r!1 }
init { run Claims() }
