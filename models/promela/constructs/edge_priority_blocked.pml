/*
 * A process of high priority that cannot move does not hold back the others; one that can does, a
 * death included.
 *
 * expect: plain 9 states 9 transitions; default 9 states 9 transitions; safety holds
 */

byte x;

active proctype low() priority 1
{
	x = 1;
	x = 2;
	x = 3
}

active proctype high() priority 9
{
	x == 1;
	x = 10;
	x = x + 1
}
