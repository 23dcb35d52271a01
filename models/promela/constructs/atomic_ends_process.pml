/*
 * The last statement of a process is the last of an atomic block: its death is a step of its own,
 * outside the block.
 *
 * expect: plain 11 states 13 transitions; default 11 states 13 transitions; safety holds
 */

byte x;

proctype child()
{
	atomic { x++; x++ }
}

init {
	atomic { run child(); run child(); x = 10 };
	_nr_pr == 1;
	assert(x == 14)
}
