/*
 * A parent reaches its end before its child: it stays until the child has died.
 *
 * expect: plain 12 states 15 transitions; default 12 states 15 transitions; safety holds
 */

byte x;

proctype grandchild()
{
	x++;
	assert(_nr_pr == 3)
}

proctype child()
{
	run grandchild();
	x++
}

init {
	run child()
}
