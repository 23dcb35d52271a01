/*
 * An index outside of its array in a guard: an error, and pan goes on with what lies behind the
 * array.
 *
 * expect: plain 3 states 3 transitions 2 errors; default 3 states 3 transitions 2 errors; safety violated (array index, invalid end state)
 */

byte a[2];
byte i = 1;

active proctype p()
{
	do
	:: a[i] == 0 -> i++
	:: i > 3 -> break
	od
}
