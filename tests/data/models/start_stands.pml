/* A process that is started stands ready to receive: an else beside a rendezvous asks for it. */
chan meet = [0] of {byte};
proctype Ready() { end: meet?_ }
active proctype Starts() { run Ready() }
active proctype Asks() { if :: meet!1 :: else -> assert(false) fi }
