/*
 * `timeout` beside other alternatives: it can be taken only when no process at all can take a step,
 * which includes the alternatives beside it.
 *
 * expect: plain 25 states 28 transitions 2 errors; default 25 states 28 transitions 2 errors; safety violated (assertion, invalid end state)
 */

byte n, late;

active proctype p()
{
	do
	:: n < 2 -> n++
	:: timeout -> late++; break
	od;
	assert(n == 2)
}

active proctype q()
{
	n == 1 -> n = 2
}
