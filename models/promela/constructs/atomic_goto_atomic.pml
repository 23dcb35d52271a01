/*
 * A jump from one atomic block into another keeps control.
 *
 * expect: plain 15 states 19 transitions; default 15 states 19 transitions; safety holds
 */

byte x;

active proctype jumper()
{
	atomic {
		x = 1;
		goto next;
		x = 50
	};
	atomic {
		x = 60;
next:	   x = x + 1;
		x = x + 1
	};
	x = 0
}

active proctype other()
{
	x = 100
}
