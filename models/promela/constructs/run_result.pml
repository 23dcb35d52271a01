/*
 * `run` gives the number of the new process, the least that is free; here 2 or, if the first child
 * has died, 1 again. By default spin merges the two `run` into one step, and the assertion holds.
 *
 * expect: plain 43 states 61 transitions 3 errors; default 15 states 17 transitions; safety violated (assertion), by default (none)
 */

byte sum;

proctype child(byte n)
{
	sum = sum + n
}

init {
	pid a, b;

	a = run child(1);
	b = run child(2);
	assert(a == 1 && b == 2);
	_nr_pr == 1;
	a = run child(3);
	assert(a == 1);
	_nr_pr == 1;
	assert(sum == 6)
}
