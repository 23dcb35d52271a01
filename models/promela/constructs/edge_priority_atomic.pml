/*
 * An atomic block that blocks, a higher priority waiting behind it.
 *
 * expect: plain 6 states 6 transitions 1 errors; default 6 states 6 transitions 1 errors; safety violated (invalid end state)
 */

byte x;

active proctype low() priority 1
{
	atomic { x = 1; x == 2; x = 3; x = 4 };
	x = 5
}

active proctype high() priority 9
{
	x == 1;
	x = 2;
	x = x + 10
}
