/*
 * `run` inside an expression, and in a choice: it can go while there is room for a process.
 *
 * expect: plain 22 states 27 transitions; default 22 states 27 transitions; safety holds
 */

byte n;

proctype child()
{
	n++
}

init {
	if
	:: run child()
	:: (run child()) -> n = 5
	fi;
	n >= 1
}
