/* Types that do not fit and that SPIN refuses. */
mtype:f = { a };
mtype:g = { b };
mtype:f x = b;
hidden bit h;
unsigned u, w : 40;
byte n : 3;
active [300] proctype P(byte q[2]; byte r = 1) provided (q > 1) { hidden byte k; x = b }
proctype Q(mtype:f z) { skip }
init {
	run Q(a); run Q(b);
	byte v = run P();
	run P() > 1
}

// error 4:13: this is a name of `mtype:g`; one of `mtype:f` is expected
// error 5:12: `h` is a bit, which cannot be hidden
// error 6:10: an unsigned needs its number of bits
// error 6:17: an unsigned has 1 to 31 bits, not 40
// error 7:10: only an unsigned has a number of bits
// error 8:9: 0 to 255 processes can run, not 300
// error 8:30: the parameter `q` cannot be an array
// error 8:41: the parameter `r` cannot be initialised
// error 8:79: `k` is not global, so it cannot be hidden
// error 11:12: an argument is a name of `mtype:g`; one of `mtype:f` is expected
// error 12:11: `run` cannot give an initial value
// error 13:2: `run` cannot be part of a larger condition
