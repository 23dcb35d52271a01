/*
 * A process dies only when it has no younger one: at its end it waits for the deaths of those
 * started after it, and each death is a step.
 *
 * expect: plain 38 states 68 transitions; default 38 states 68 transitions; safety holds
 */

proctype child()
{
	skip
}

init {
	run child();
	run child();
	run child();
	_nr_pr <= 3;
	_nr_pr <= 2;
	_nr_pr == 1
}
