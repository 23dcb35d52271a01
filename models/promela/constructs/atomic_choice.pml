/*
 * A choice inside an atomic block branches; the alternatives are all explored, without states
 * between.
 *
 * expect: plain 7 states 39 transitions; default 7 states 39 transitions; safety holds
 */

byte x;

active proctype p()
{
	atomic {
		do
		:: x < 5 -> x++
		:: x < 5 -> x = x + 2
		:: x >= 3 -> break
		od;
		if
		:: x > 3 -> x = 10
		:: x < 6 -> x = 20
		fi
	};
	assert(x >= 10)
}
