/*
 * `unsigned x : n` keeps n bits.
 *
 * expect: plain 25 states 25 transitions; default 24 states 24 transitions; safety holds
 */

unsigned u : 3, v : 5 = 31;

active proctype p()
{
	unsigned w : 2 = 3;

	do
	:: u < 7 -> u++
	:: u == 7 -> break
	od;
	u++;
	assert(u == 0);
	u--;
	assert(u == 7);
	v = v + u;
	assert(v == 6);
	w = w + 2;
	assert(w == 1)
}
