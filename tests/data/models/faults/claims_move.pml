/* A claim is violated only while the variable that claims is the channel. */
chan q = [2] of {byte};
chan r = [2] of {byte};
active proctype Claims() { chan own; xs own; own = r; own = q; own = r }
active proctype Sends() { q!1 }
