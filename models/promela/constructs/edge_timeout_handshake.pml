/*
 * `timeout` does not come while a rendezvous is possible, and comes when only one side is there.
 *
 * expect: plain 7 states 7 transitions 1 errors; default 7 states 7 transitions 1 errors; safety violated (invalid end state)
 */

chan c = [0] of { byte };
byte x;

active proctype p()
{
	do
	:: c?1 -> x++
	:: timeout -> break
	od;
	assert(x == 2)
}

active proctype q()
{
	c!1;
	c!1;
	c!2
}
