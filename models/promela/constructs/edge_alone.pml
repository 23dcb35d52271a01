/*
 * A process that offers both sides of a rendezvous alone waits for ever.
 *
 * expect: plain 1 states 1 transitions 1 errors; default 1 states 1 transitions 1 errors; safety violated (invalid end state)
 */

chan c = [0] of { byte };

active proctype p()
{
	if
	:: c!1
	:: c?1
	fi
}
