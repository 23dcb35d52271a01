/*
 * D_proctype: two receives that take the same message, from a rendezvous and from a buffer; an
 * escape; and a step of `atomic`.
 *
 * expect: plain 6 states 7 transitions 1 errors; default 4 states 5 transitions 1 errors; safety violated (non-determinism in D_proctype)
 * expect: -D BUFFER plain 8 states 11 transitions 2 errors; default 6 states 9 transitions 2 errors; safety violated (non-determinism in D_proctype)
 * expect: -D ESCAPE plain 9 states 9 transitions 3 errors; default 9 states 9 transitions 3 errors; safety violated (invalid end state, non-determinism in D_proctype)
 * expect: -D CHAIN plain 9 states 9 transitions 1 errors; default 9 states 9 transitions 3 errors; safety violated (non-determinism in D_proctype)
 */

byte x;
#ifdef BUFFER
chan c = [1] of { byte };
#else
chan c = [0] of { byte };
#endif

active D_proctype p()
{
	byte y;
#ifdef ESCAPE
	{
		x = 1;
		c?y
	} unless {
		if
		:: x == 1 -> x = 2
		:: x > 0 -> x = 3
		fi
	}
#else
#ifdef CHAIN
	atomic {
		x = 1;
		if
		:: x == 1 -> x = 2
		:: x > 0 -> x = 3
		fi
	}
	c?y
#else
	if
	:: c?1
	:: c?y
	fi
#endif
#endif
}

active proctype q()
{
	c!1
}
