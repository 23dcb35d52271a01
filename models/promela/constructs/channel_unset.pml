/*
 * A channel variable that was never set: pan ends the search at a send on it.
 *
 * expect: plain 3 states 3 transitions 1 errors; default 3 states 3 transitions 1 errors; safety violated (ref to uninitialized chan name (qfull))
 */

chan d = [1] of { byte };
chan c;
byte x;

active proctype p()
{
	if
	:: x = 1
	:: c!1
	fi
}
