/*
 * `set_priority` and `get_priority`: a process raises itself and steps back, another is raised.
 *
 * expect: plain 13 states 13 transitions; default 13 states 13 transitions; safety holds
 */

byte x, seen;

active proctype p() priority 2
{
	x++;
	seen = get_priority(_pid);
	set_priority(_pid, 1);
	x++;
	assert(get_priority(_pid) == 1);
	set_priority(1, 9);
	x++
}

active proctype q() priority 1
{
	x = x * 2;
	x = x * 2;
	assert(_priority == get_priority(_pid))
}
