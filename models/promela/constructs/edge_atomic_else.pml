/*
 * `else` inside an atomic block looks at the moment, not at the start of the block.
 *
 * expect: plain 11 states 13 transitions 1 errors; default 11 states 13 transitions 1 errors; safety violated (invalid end state)
 */

byte x;

active proctype p()
{
	atomic {
		x == 1;
		x = 2;
		if
		:: x == 1 -> x = 10
		:: else -> x = 20
		fi
	};
	assert(x == 20 || x == 3)
}

active proctype q()
{
	x = 1;
	x = 3
}
