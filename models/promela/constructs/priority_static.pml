/*
 * Priorities of processes: only those of the highest priority that can take a step do so. spin -o6
 * ignores them; -DNOREDUCE or not makes no difference to that.
 *
 * expect: plain 31 states 34 transitions; default 31 states 34 transitions; safety holds
 * expect: -o6 plain 81 states 123 transitions 6 errors; default 81 states 123 transitions 6 errors; safety violated (invalid end state)
 */

byte x;

active proctype low() priority 1
{
	x = x * 2;
	x = x + 1
}

active proctype high() priority 5
{
	x = x + 3;
	x == 9;
	x = 20
}

active proctype also_low()
{
	x = 9
}
