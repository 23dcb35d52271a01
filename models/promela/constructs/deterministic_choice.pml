/*
 * D_proctype with two guards that hold at once: an error, and the run goes on.
 *
 * expect: plain 22 states 24 transitions 3 errors; default 22 states 24 transitions 3 errors; safety violated (non-determinism in D_proctype)
 */

byte x;

D_proctype p()
{
	do
	:: x < 3 -> x++
	:: x < 5 -> x = x + 2
	:: x >= 5 -> break
	od
}

init {
	run p()
}
