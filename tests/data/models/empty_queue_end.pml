/* Unread messages are no error by themselves. */
chan c = [2] of {byte};
active proctype P() { c!1; c!2 }
active proctype Q() { byte x; c?x }
