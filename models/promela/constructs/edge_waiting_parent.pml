/*
 * An older process has ended and cannot die while a younger one waits at an end label: no error.
 *
 * expect: plain 3 states 3 transitions; default 3 states 3 transitions; safety holds
 */

byte x;

proctype child()
{
end:	x == 9
}

init {
	run child();
	x = 1
}
