/*
 * A rendezvous needs a receiver whose constants fit; of two that fit either is taken.
 *
 * expect: plain 11 states 11 transitions 2 errors; default 11 states 11 transitions 2 errors; safety violated (invalid end state)
 */

chan c = [0] of { byte, byte };
byte n;

active proctype sender()
{
	c!1, 5;
	c!2, 6
}

active [2] proctype one()
{
	byte x;

	c?1, x;
	n = n + x
}

active proctype two()
{
	byte x;

end:	do
	:: c?eval(n % 3), x -> n = n + 10 + x; x = 0
	od
}
