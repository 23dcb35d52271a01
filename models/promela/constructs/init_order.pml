/*
 * Processes declared `active` start before init, in the order of the text; _pid counts from 0.
 *
 * expect: plain 54 states 113 transitions; default 43 states 97 transitions; safety holds
 */

byte x;

active [2] proctype a()
{
	assert(_pid < 2)
}

init {
	assert(_pid == 2);
	x = _nr_pr
}

active proctype b()
{
	assert(_pid == 3)
}
