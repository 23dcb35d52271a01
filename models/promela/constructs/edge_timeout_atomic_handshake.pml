/*
 * An atomic block ends in a rendezvous that nobody takes; `timeout` then helps the receiver.
 *
 * expect: plain 6 states 6 transitions 1 errors; default 6 states 6 transitions 1 errors; safety violated (invalid end state)
 */

chan c = [0] of { byte };
byte x;

active proctype p()
{
	atomic { x = 1; c!1; x = x + 1 };
	x = x + 10
}

active proctype q()
{
	timeout;
	atomic { c?1; x = x * 3; x == 50; x = 0 }
}
