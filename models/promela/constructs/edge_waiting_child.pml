/*
 * An older process waits for something that only a younger one, which has ended, has; the younger
 * one dies first, and its number is free.
 *
 * expect: plain 34 states 45 transitions; default 27 states 33 transitions; safety holds
 */

byte x;

proctype child(byte n)
{
	x = n
}

init {
	pid c;

	c = run child(3);
	x == 3 -> c = run child(c);
	assert(c == 1 || c == 2);
	x = 0
}
