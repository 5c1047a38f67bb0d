/* A process that is started stands ready to receive: an else beside a rendezvous asks for it. */
chan meet = [0] of {byte};
proctype Ready() { end: do :: meet?_ od }
active proctype Starts() { run Ready() }
active proctype Asks() { do :: meet!1 :: else -> assert(false) od }
