/*
 * Arguments of `run` are cut to the parameter's type and evaluated by the parent.
 *
 * expect: plain 5 states 5 transitions; default 5 states 5 transitions; safety holds
 */

int big = 300;

proctype child(byte b; bit c; short s; int i)
{
	assert(b == 44 && c == 1 && s == -1 && i == 300)
}

init {
	run child(big, 3, 65535, big)
}

// warning 15:17: 3 does not fit; 1 is what is left of it
// warning 15:20: 65535 does not fit; -1 is what is left of it
