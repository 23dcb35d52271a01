/*
 * `else` at the head of a d_step, beside a send that somebody may be ready for: the steps by which
 * the receiver becomes ready can be noticed.
 *
 * expect: plain 14 states 18 transitions 1 errors; default 11 states 13 transitions 1 errors; safety violated (invalid end state)
 */

chan c = [0] of { byte };
byte x;

active proctype sender()
{
	if
	:: c!1
	:: d_step { else -> x = 1 }
	fi;
	x = x + 2
}

active proctype receiver()
{
	byte y, z;

	z = 1;
	z = z + 1;
	c?y
}
