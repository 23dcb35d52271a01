/*
 * `else` beside a send: taken when the channel is full.
 *
 * expect: plain 34 states 50 transitions; default 34 states 50 transitions; safety holds
 */

chan c = [1] of { byte };
byte n;

active proctype p()
{
	do
	:: c!n -> n++
	:: else -> break
	od;
	assert(n == 1 || n == 2)
}

active proctype q()
{
	if
	:: c?_
	:: skip
	fi
}

// warning 14:5: `else` beside a send or receive: it is taken when no message can go
