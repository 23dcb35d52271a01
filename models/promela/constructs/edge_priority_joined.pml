/*
 * Who has a higher priority comes between the statements of `atomic`, but not between statements that
 * SPIN joins by default.
 *
 * expect: plain 8 states 8 transitions; default 2 states 2 transitions; safety holds
 */

byte g, h;

active proctype low() priority 1
{
	byte a;

	atomic {
		g = 1;
		h = 1;
		a = 2;
		g = 2;
		h = a
	}
}

active proctype high() priority 2
{
end:
	g == 1;
	h = h + 5;
	assert(h < 7)
}
