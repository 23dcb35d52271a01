/*
 * A trace in which two events fit: SPIN gives up.
 *
 * expect: plain 1 states 1 transitions 1 errors; default 1 states 1 transitions 1 errors; safety violated (non-determinism in event-trace)
 */

chan c = [2] of { byte };

active proctype p()
{
	c!1;
	c!2
}

trace {
	do
	:: c!1
	:: c!_
	od
}
