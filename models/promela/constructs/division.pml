/*
 * Division by zero at run time kills pan; there are no counts.
 *
 * expect: plain killed by status 136; default killed by status 136; safety violated (killed)
 */

byte x, y;

active proctype p()
{
	if
	:: x = 1
	:: x = 0
	fi;
	y = 4 / x
}
