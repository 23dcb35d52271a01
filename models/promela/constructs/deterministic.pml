/*
 * D_proctype: as proctype, and here it is deterministic.
 *
 * expect: plain 11 states 11 transitions; default 11 states 11 transitions; safety holds
 */

byte x;

D_proctype p()
{
	do
	:: x < 3 -> x++
	:: x == 3 -> break
	od
}

init {
	run p()
}
