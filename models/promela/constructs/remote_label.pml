/*
 * `p[i]@label` in an assertion and as a guard.
 *
 * expect: plain 73 states 133 transitions 8 errors; default 73 states 133 transitions 8 errors; safety violated (assertion, invalid end state)
 */

byte x;

active [2] proctype worker()
{
	x++;
critical:
	x--;
rest:
	skip
}

active proctype watcher()
{
	worker[0]@critical;
	assert(x > 0);
	worker[1]@rest -> x = 9
}
