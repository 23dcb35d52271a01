/*
 * What a trace looks at: after a send the last message of the channel, even if a sorted send has
 * put the new one elsewhere; at a receive the first, even if another is taken.
 *
 * expect: plain 5 states 5 transitions; default 5 states 5 transitions; safety holds
 * expect: -D SORTED plain 5 states 5 transitions 2 errors; default 5 states 5 transitions 2 errors; safety violated (event_trace error (no matching event))
 * expect: -D RANDOM plain 5 states 5 transitions; default 5 states 5 transitions; safety holds
 */

chan c = [3] of { byte };

active proctype p()
{
	c!2;
#ifdef SORTED
	c!!1;
#else
	c!1;
#endif
#ifdef RANDOM
	c??1
#else
	c?_
#endif
}

trace {
	c!2; c!1; c?2
}
