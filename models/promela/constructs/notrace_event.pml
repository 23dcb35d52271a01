/*
 * A notrace: an error if its events come to the end of it.
 *
 * expect: plain 8 states 9 transitions 2 errors; default 8 states 9 transitions 2 errors; safety violated (event_trace error (all events matched))
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

notrace {
	c!on; c!off
}
