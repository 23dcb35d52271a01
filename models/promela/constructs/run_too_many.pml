/*
 * One process more than fits: pan says `too many processes` and ends the search.
 *
 * expect: plain 764 states 764 transitions 1 errors; default 764 states 764 transitions 1 errors; safety violated (too many processes)
 */

byte n;

proctype child()
{
	end: false
}

init {
	pid last;

	do
	:: n < 255 ->
		last = run child();
		n++
	:: else -> break
	od;
	n = 0
}
