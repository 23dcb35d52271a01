/*
 * `for (m in c)` goes over the messages of a channel of records and leaves them as they were.
 *
 * expect: plain 21 states 21 transitions; default 21 states 21 transitions; safety holds
 */

typedef R { byte v };

chan c = [4] of { R };
byte sum;

active proctype p()
{
	R m;

	m.v = 1;
	c!m;
	m.v = 2;
	c!m;
	for (m in c) {
		sum = sum + m.v
	};
	assert(sum == 3 && len(c) == 2);
	c?m;
	assert(m.v == 1)
}
