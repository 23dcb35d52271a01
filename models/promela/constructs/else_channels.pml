/*
 * `else` beside a receive: taken when no message is there. Beside a rendezvous it is refused by
 * spin.
 *
 * expect: plain 48 states 70 transitions; default 48 states 70 transitions; safety holds
 */

chan c = [1] of { byte };
byte n;

active proctype p()
{
	do
	:: c?1 -> break
	:: c?2 -> n = 0
	:: else -> n = (n + 1) % 3
	od
}

active proctype q()
{
	c!2;
	c!1
}

// warning 16:5: `else` beside a send or receive: it is taken when no message can go
