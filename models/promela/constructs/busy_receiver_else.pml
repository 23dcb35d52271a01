/*
 * A receiver that is busy with itself is not ready: the `else` beside the send can be taken.
 *
 * expect: plain 19 states 26 transitions 3 errors; default 13 states 16 transitions 2 errors; safety violated (assertion)
 */

chan c = [0] of { byte };

active proctype receiver()
{
	byte got, copy;

end:	do
	:: c?got; copy = got; copy = copy + 1
	od
}

active proctype sender()
{
	c!1;
	if
	:: c!2
	:: else -> assert(false)
	fi
}

// warning 23:5: `else` beside a send or receive: it is taken when no message can go
