/*
 * `timeout` waits for deaths as for other steps: it comes when all that can die has died.
 *
 * expect: plain 14 states 18 transitions; default 14 states 18 transitions; safety holds
 */

byte n;

proctype child()
{
	n++
}

init {
	run child();
	run child();
	timeout;
	assert(_nr_pr == 1 && n == 2)
}
