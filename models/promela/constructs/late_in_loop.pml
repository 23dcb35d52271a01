/*
 * A declaration inside a loop is a step in every turn, and sets the variable anew, to 0 if no value
 * is given.
 *
 * expect: plain 15 states 15 transitions; default 15 states 15 transitions; safety holds
 */

byte x;

active proctype p()
{
	do
	:: x < 2 ->
		byte y = x + 3;
		byte z;
		assert(y == x + 3 && z == 0);
		z = z + 1;
		x++
	:: x == 2 -> break
	od
}
