/*
 * An atomic block that blocks in the middle loses control; another process may go on, and the block
 * is taken up again, atomic once more, when it can go on.
 *
 * expect: plain 13 states 15 transitions 1 errors; default 13 states 15 transitions 1 errors; safety violated (invalid end state)
 */

byte x, y;

active proctype first()
{
	atomic { x = 1; y == 1; x = 2; x = 3 };
	assert(x == 3)
}

active proctype second()
{
	x == 1;
	y = 1;
	y = 2
}
