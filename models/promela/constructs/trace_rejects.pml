/*
 * A trace that the events do not follow.
 *
 * expect: plain 12 states 12 transitions 2 errors; default 12 states 12 transitions 2 errors; safety violated (event_trace error (no matching event))
 */

mtype = { on, off };
chan c = [2] of { mtype };

active proctype p()
{
	c!on;
	c!off
}

active proctype q()
{
	c?on;
	c?off
}

trace {
	c!on; c?on; c!off; c?off
}
