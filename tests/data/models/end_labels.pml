/* Waiting at an end label is no error; waiting elsewhere is. */
chan q = [1] of {byte};
chan w = [1] of {byte};
active proctype Server() { byte v; end: do :: q?v -> if :: v > 1 -> w!v :: else fi od }
active proctype Client() { q!1; q!2; byte v; w?v; endwait: w?v }
active proctype Stuck() { byte v; (q?[3]) -> v = 1 }
