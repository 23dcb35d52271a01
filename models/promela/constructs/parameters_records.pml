/*
 * A record and a channel as parameters of a process; the record is copied. (A record that holds an
 * array cannot be a parameter.)
 *
 * expect: plain 9 states 10 transitions; default 9 states 10 transitions; safety holds
 */

typedef R { byte a; byte b };
R r;

proctype child(R mine; chan out)
{
	mine.b = mine.b + 1;
	out!mine.b
}

init {
	chan c = [0] of { byte };
	byte x;

	r.b = 4;
	run child(r, c);
	c?x;
	assert(x == 5 && r.b == 4)
}
