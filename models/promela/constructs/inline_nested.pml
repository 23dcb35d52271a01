/*
 * Inlines inside inlines; a parameter stands for its text, and locals of an inline are those of the
 * process.
 *
 * expect: plain 14 states 14 transitions; default 11 states 11 transitions; safety holds
 */

byte x;

inline twice(a)
{
	a = a + a
}

inline four_times(a, b)
{
	byte t;

	t = b;
	twice(t);
	twice(t);
	a = t
}

active proctype p()
{
	byte y = 1;

	four_times(x, y + 1);
	assert(x == 8 && y == 1);
	four_times(y, x);
	assert(y == 32)
}
