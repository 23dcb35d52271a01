/* Questions about processes. */
byte x;
proctype P(byte a) provided (x < 2) {
	byte v, vs[2];
here:	v = a;
there:	goto here
}
active proctype Q() {
	byte w;
	P[1]@here && P@there;
	w = P[w + 1]:v + P:vs[1];
	w = (x > 1 -> _last : _nr_pr);
	enabled(w) && pc_value(_pid) == 1 && get_priority(w) > 1;
	timeout;
	assert(!(x == ~w) || -x > 1);
}
