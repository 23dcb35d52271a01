/*
 * A trace over a rendezvous: the send is an event, and the receive is one.
 *
 * expect: plain 5 states 5 transitions; default 5 states 5 transitions; safety holds
 */

mtype = { ask, tell };
chan c = [0] of { mtype };

active proctype p()
{
	c!ask;
	c!tell
}

active proctype q()
{
	c?ask;
	c?tell
}

trace {
	c!ask; c?ask; c!tell; c?tell
}
