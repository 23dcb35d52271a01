/*
 * Initial values of locals at the head of a process are evaluated when it is started, with the
 * arguments and the globals of then; that is no step.
 *
 * expect: plain 14 states 16 transitions; default 14 states 16 transitions; safety holds
 */

byte g = 2;
byte h = 3 + 4;

proctype child(byte n)
{
	byte a = n + g;
	byte b = a * 2;

	assert(a == 12 && b == 24);
	g = 1
}

init {
	g = 5;
	run child(h);
	g = 9
}
