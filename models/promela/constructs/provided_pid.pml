/*
 * `provided` with the process's own number and another's state.
 *
 * expect: plain 14 states 14 transitions 1 errors; default 14 states 14 transitions 1 errors; safety violated (invalid end state)
 */

byte turn;

active [3] proctype p() provided (turn % 3 == _pid)
{
	do
	:: turn < 6 -> turn++
	:: turn >= 6 -> break
	od
}
