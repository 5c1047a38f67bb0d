/* Behind a timeout its process goes on before the next one can be taken: the second one must come first for the failure. */
chan meet = [0] of {byte};
active proctype First() { timeout; if :: meet!1 -> assert(false) :: else fi }
active proctype Second() { timeout; end: meet?_ }
