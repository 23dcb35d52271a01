/*
 * A remote reference to a process that has died, by its number: pan looks at whatever has the
 * number, and a dead one is at no label.
 *
 * expect: plain 9 states 10 transitions; default 9 states 10 transitions; safety holds
 */

byte x;

proctype child()
{
start:
	x = 1
}

init {
	pid c;

	c = run child();
	x == 1;
	_nr_pr == 1;
	assert(!child[c]@start)
}
