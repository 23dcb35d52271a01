/*
 * `run` with a priority.
 *
 * expect: plain 15 states 15 transitions; default 15 states 15 transitions; safety holds
 */

byte x;

proctype child(byte me)
{
	x = x * 4 + me;
	x = x * 4
}

init {
	atomic {
		run child(1) priority 3;
		run child(2) priority 2;
		run child(3) priority 3
	};
	x = x + 1
}
