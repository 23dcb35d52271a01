/*
 * A timeout inside an atomic block that blocks: it comes when nothing else can go on.
 *
 * expect: plain 10 states 11 transitions; default 10 states 11 transitions; safety holds
 */

byte x, y;

active proctype waiter()
{
	atomic { x = 1; timeout; x = 2 };
	assert(y == 2)
}

active proctype other()
{
	y = 1;
	x == 1;
	y = 2
}
