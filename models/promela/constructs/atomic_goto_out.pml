/*
 * A jump out of an atomic block ends it: the step of the label may be preceded by another process.
 *
 * expect: plain 13 states 14 transitions 1 errors; default 13 states 14 transitions 1 errors; safety violated (invalid end state)
 */

byte x;

active proctype jumper()
{
	atomic {
		x = 1;
		if
		:: x == 1 -> goto out
		:: else -> x = 7
		fi;
		x = 3
	};
	x = 4;
out:	x = x + 10
}

active proctype other()
{
	x == 1;
	x = 2
}
