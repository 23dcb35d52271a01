/*
 * Fields of a trace: constants and eval(…) are compared, variables are not, nor is any other
 * expression in a send; a receive stores nothing in them.
 *
 * expect: plain 7 states 7 transitions; default 7 states 7 transitions; safety holds
 * expect: -D NEGATIVE plain 7 states 7 transitions 1 errors; default 7 states 7 transitions 1 errors; safety violated (event_trace error (no matching event))
 * expect: -D WRONG plain 7 states 7 transitions 3 errors; default 7 states 7 transitions 3 errors; safety violated (event_trace error (no matching event))
 */

chan c = [2] of { short, short };
short x = 3, y;

active proctype p()
{
	c!4, 7;
	c?x, y;
	c!-5, 8;
	x = 1;
	c?y, 8
}

trace {
	c!x, 7;
#ifdef WRONG
	c?eval(x), 3;
#else
	c?eval(x), 7;
#endif
#ifdef NEGATIVE
	c!-6, 2 * 3;
	c?-6, 8
#else
	c!-5, 8;
	c?-5, x
#endif
}
