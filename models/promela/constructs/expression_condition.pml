/*
 * Conditional expressions, nested, as arguments and as indices.
 *
 * expect: plain 17 states 17 transitions; default 17 states 17 transitions; safety holds
 */

byte a[3] = { 4, 5, 6 };
byte i;

active proctype p()
{
	byte x;

	do
	:: i < 3 ->
		x = (i == 0 -> a[0] : (i == 1 -> 50 : a[(x > 5 -> 2 : 1)]));
		assert((i == 0 -> x == 4 : (i == 1 -> x == 50 : x == 6)));
		i++
	:: else -> break
	od;
	(i == 3 -> true : false);
	x = 0
}
