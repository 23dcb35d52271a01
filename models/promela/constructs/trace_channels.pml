/*
 * A trace and channels with other names: the channel counts, not what it is called. Events are
 * those inside d_step and atomic too. An array of channels has an element that is watched.
 *
 * expect: plain 8 states 8 transitions; default 8 states 8 transitions; safety holds
 * expect: -D WRONG plain 4 states 4 transitions 2 errors; default 4 states 4 transitions 2 errors; safety violated (event_trace error (no matching event), invalid end state)
 */

chan c[2] = [3] of { byte };

proctype p(chan d)
{
	d_step { d!1; d!2 };
	atomic { d?1; d?2 };
	c[0]!9;
	c[0]?9
}

init {
#ifdef WRONG
	c[1]!5;
#endif
	run p(c[1])
}

trace {
	c[1]!1; c[1]!2; c[1]?1; c[1]?2
}
