/*
 * A trace: sends and receives of the channels it names must come in its order; other channels are
 * free. An event that does not fit is an error, here in one order of the users.
 *
 * expect: plain 12 states 15 transitions; default 12 states 15 transitions; safety holds
 */

mtype = { on, off };
chan c = [1] of { mtype };
chan free = [1] of { mtype };

active proctype p()
{
	c!on;
	c!off;
	free!on
}

active proctype q()
{
	c?on;
	c?off;
	c!on
}

trace {
	do
	:: c!on; c?on
	:: c!off; c?off
	od
}
