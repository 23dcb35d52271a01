/*
 * `provided` on the receiving side: no rendezvous with a process that may not move.
 *
 * expect: plain 9 states 11 transitions; default 9 states 11 transitions; safety holds
 */

bool on;
chan c = [0] of { byte };
byte x;

active proctype sender()
{
	if
	:: c!1 -> x = 1
	:: on = true; c!2 -> x = 2
	fi
}

active proctype receiver() provided (on)
{
	byte got;

	c?got;
	assert(got == 2)
}
