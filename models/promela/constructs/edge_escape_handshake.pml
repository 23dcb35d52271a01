/*
 * A receive in the main part of an `unless` whose escape can go: the escape comes first only where
 * the process itself starts the step, so the sender can still meet the receive (the assertion
 * fails).
 *
 * expect: plain 20 states 26 transitions 3 errors; default 20 states 26 transitions 3 errors; safety violated (assertion)
 */

chan c = [0] of { byte };
byte x, n;

active proctype p()
{
	{ c?1 -> n = 1 } unless { x == 1 -> n = 2 }
}

active proctype q()
{
	x = 1;
	if
	:: c!1 -> assert(x == 0); n = n + 10
	:: n == 2
	fi
}
