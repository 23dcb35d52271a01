/*
 * A trace that is not at its end where the run ends is an invalid end state if a process is
 * still there, unless the trace is at a label that begins with `end`.
 *
 * expect: plain 4 states 4 transitions; default 4 states 4 transitions; safety holds
 * expect: -D STAYS plain 3 states 3 transitions 1 errors; default 3 states 3 transitions 1 errors; safety violated (invalid end state)
 * expect: -D STAYS -D LABEL plain 3 states 3 transitions; default 3 states 3 transitions; safety holds
 */

chan c = [2] of { byte };

active proctype p()
{
	c!1;
	c!2
}

#ifdef STAYS
active proctype q()
{
end:	false
}
#endif

trace {
	c!1; c!2;
#ifdef LABEL
end_here:
#endif
	c!3
}
