/*
 * D_proctype: a rendezvous beside another step is an error even if nobody is there to receive;
 * the other way round only if somebody is.
 *
 * expect: -D READY plain 7 states 11 transitions 3 errors; default 7 states 11 transitions 3 errors; safety violated (non-determinism in D_proctype)
 * expect: plain 7 states 7 transitions 2 errors; default 7 states 7 transitions 2 errors; safety violated (non-determinism in D_proctype)
 */

byte x;
chan c = [0] of { byte };

active D_proctype p()
{
	end:
	do
	:: x < 2 -> x++
	:: c!1
	:: x == 2 -> x = 3
	od
}

#ifdef READY
active proctype q()
{
	end:
	do
	:: c?_
	od
}
#endif
