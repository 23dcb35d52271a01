/*
 * A hidden variable is not part of the state: states that differ only in it are one.
 *
 * expect: plain 16 states 19 transitions; default 16 states 19 transitions; safety holds
 */

hidden byte h;
byte x;

active proctype p()
{
	do
	:: x < 3 -> h = h + 1; x = x + 1
	:: x > 0 -> h = 7; x = 0
	od
}
