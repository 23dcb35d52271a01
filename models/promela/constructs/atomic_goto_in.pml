/*
 * A jump into an atomic block makes the rest of the block atomic, but the label's own step is
 * reached by a step that is outside.
 *
 * expect: plain 15 states 19 transitions; default 15 states 19 transitions; safety holds
 */

byte x;

active proctype jumper()
{
	goto inside;
	atomic {
		x = 1;
inside:	 x = x + 2;
		x = x + 3;
		x = x + 4
	};
	assert(x >= 9)
}

active proctype other()
{
	x = 100
}
