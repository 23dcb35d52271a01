/*
 * Several mtypes, each with numbers of its own from 1.
 *
 * expect: plain 11 states 11 transitions; default 11 states 11 transitions; safety holds
 */

mtype:fruit = { apple, pear, plum };
mtype:size = { small, large };
mtype = { one, two };

mtype:fruit f = pear;
mtype:size s;
mtype m = two;
chan c = [1] of { mtype:fruit, mtype:size };

active proctype p()
{
	assert(f == 2 && m == 1);
	s = large;
	c!f, s;
	c?pear, large;
	if
	:: f = apple
	:: f = plum
	fi;
	assert(f == 1 || f == 3)
}
