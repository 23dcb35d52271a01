/*
 * Two blocks may declare the same name, for two variables; a block may not reuse a name from
 * outside. These declarations are steps, since a statement comes before them.
 *
 * expect: plain 11 states 11 transitions; default 7 states 7 transitions; safety holds
 */

byte x = 1;

active proctype p()
{
	x++;
	{
		byte y;
		y = 3;
		y++;
		assert(y == 4)
	};
	{
		byte y;
		assert(y == 0);
		y = x
	};
	assert(x == 2)
}
