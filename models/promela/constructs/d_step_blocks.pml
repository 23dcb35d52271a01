/*
 * A d_step that blocks after its first statement is an error, `block in d_step seq`, which ends the
 * search at once: the counts are those up to there.
 *
 * expect: plain 3 states 3 transitions 1 errors; default 3 states 3 transitions 1 errors; safety violated (block in d_step seq)
 */

byte x;

active proctype p()
{
	d_step { x = 1; x == 2; x = 3 }
}

active proctype q()
{
	x = 2
}
