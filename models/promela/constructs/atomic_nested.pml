/*
 * Atomic blocks inside atomic blocks are one block; a d_step inside is one step of it.
 *
 * expect: plain 13 states 19 transitions; default 7 states 9 transitions; safety holds
 */

byte x;

active [2] proctype p()
{
	byte i;

	atomic {
		x++;
		atomic { x++; i = x };
		d_step { x--; x-- };
		assert(x == 0)
	};
	i = 0
}
