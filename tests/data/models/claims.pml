/* xr and xs say who alone receives and sends; a poll may give fewer fields than there are. */
mtype = {red, white};
chan c = [2] of {mtype, byte};
byte n;
active proctype S() { xs c; do :: n < 3 -> c!red, n; n++ :: n == 3 -> c!white, 0; break od }
active proctype R() { xr c; byte v; do :: c?[red] -> c?red, v :: c?[white] -> c?white, v; break :: c?[red, 1] -> c?red, 1 od }
