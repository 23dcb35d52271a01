/*
 * A jump that an option of a trace begins with fits every event, and takes it.
 *
 * expect: plain 12 states 16 transitions; default 12 states 16 transitions; safety holds
 * expect: -D AFTER plain 12 states 16 transitions 2 errors; default 12 states 16 transitions 2 errors; safety violated (event_trace error (no matching event))
 */

chan c = [4] of { byte };

active proctype p()
{
	c!1;
	c!2;
	c!1
}

active proctype q()
{
	byte x;
	c?x;
	c?x
}

trace {
#ifdef AFTER
again:
	if
	:: c!1; goto again
	:: c!2; goto again
	:: c?1
	fi;
	goto again
#else
	do
	:: c!1
	:: c!2; break
	od;
	do
	:: break
	od;
	c!1
#endif
}
