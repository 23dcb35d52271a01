/*
 * A child started inside an atomic block takes no step before the block ends or blocks.
 *
 * expect: plain 30 states 40 transitions 2 errors; default 30 states 40 transitions 2 errors; safety violated (invalid end state)
 */

byte x;

proctype child()
{
	x = x * 2;
	x = x + 1
}

init {
	atomic {
		run child();
		x = 1;
		run child();
		x = 3;
		x == 7;
		x = 50
	}
}
