/*
 * The most processes that fit: 255, init among them. pan needs -DVECTORSZ for so many.
 *
 * expect: plain 1019 states 1019 transitions; default 1019 states 1019 transitions; safety holds
 */

byte n;

proctype child()
{
	end: false
}

init {
	pid last;

	do
	:: n < 254 ->
		last = run child();
		assert(last == n + 1);
		n++
	:: else -> break
	od;
	assert(_nr_pr == 255)
}
