/*
 * `&&` and `||` look at the right side only when it matters, so that no index is wrong here.
 *
 * expect: plain 8 states 8 transitions; default 8 states 8 transitions; safety holds
 */

byte a[2];
byte i;

active proctype p()
{
	do
	:: i < 2 && a[i] == 0 -> i++
	:: i >= 2 || a[i] != 0 -> break
	od;
	assert(i == 2)
}
