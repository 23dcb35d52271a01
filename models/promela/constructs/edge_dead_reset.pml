/*
 * By default spin sets a local to 0 once it is dead, not to its initial value: the plain count is
 * smaller.
 *
 * expect: plain 42 states 85 transitions; default 55 states 111 transitions; safety holds
 */

byte n;

active [2] proctype p()
{
	byte x = 4;

	do
	:: x = n; n = (x + 1) % 2; x = 4
	od
}
