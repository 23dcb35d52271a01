/*
 * set_priority takes 1 to 255; other values are an error, unless there is no such process. What is
 * assigned to _priority is cut to a byte instead.
 *
 * expect: plain 8 states 8 transitions; default 8 states 8 transitions; safety holds
 * expect: -D VALUE=0 plain 6 states 6 transitions 1 errors; default 6 states 6 transitions 1 errors; safety violated (priority is out of range)
 * expect: -D VALUE=256 plain 6 states 6 transitions 1 errors; default 6 states 6 transitions 1 errors; safety violated (priority is out of range)
 * expect: -D VALUE=-1 plain 6 states 6 transitions 1 errors; default 6 states 6 transitions 1 errors; safety violated (priority is out of range)
 */

#ifndef VALUE
#define VALUE	255
#endif

int value = VALUE;
byte x;

active proctype p()
{
	_priority = 256 + 7;
	x = _priority;
	assert(x == 7);
	set_priority(_pid, value)
}

active proctype q() priority 3
{
	x = 2
}
