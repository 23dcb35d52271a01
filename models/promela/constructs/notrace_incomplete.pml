/*
 * A notrace that the events begin and do not finish: where the run ends, the notrace is not at its
 * end, and SPIN calls that an invalid end state if a process is still there. An event that does not
 * fit ends it, and no more comes of it.
 *
 * expect: plain 3 states 3 transitions; default 3 states 3 transitions; safety holds
 * expect: -D STAYS plain 2 states 2 transitions 1 errors; default 2 states 2 transitions 1 errors; safety violated (invalid end state)
 * expect: -D STAYS -D OTHER plain 4 states 4 transitions; default 4 states 4 transitions; safety holds
 */

chan c = [3] of { byte };

active proctype p()
{
	c!1;
#ifdef OTHER
	c!3;
	c!2
#endif
}

#ifdef STAYS
active proctype q()
{
end:	false
}
#endif

notrace {
	c!1; c!2
}
