/*
 * A process without effect, an init alone, and one that waits for nobody.
 *
 * expect: plain 2 states 2 transitions 1 errors; default 2 states 2 transitions 1 errors; safety violated (invalid end state)
 */

active proctype p()
{
	skip
}

init {
	false
}
