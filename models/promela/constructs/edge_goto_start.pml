/*
 * A jump to a label at the start of an atomic block, from inside it, and from the end of it.
 *
 * expect: plain 28 states 36 transitions 1 errors; default 28 states 36 transitions 1 errors; safety violated (invalid end state)
 */

byte x;

active proctype p()
{
again:
	atomic {
		x++;
		if
		:: x < 3 -> goto again
		:: x >= 3
		fi;
		x++
	};
	if
	:: x < 8 -> goto again
	:: x >= 8
	fi
}

active proctype q()
{
	x == 2;
	x = 10
}
