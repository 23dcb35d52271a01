/*
 * A receive makes room for a sender of higher priority; SPIN joins it with what follows if the process
 * is the only receiver.
 *
 * expect: plain 46 states 84 transitions; default 9 states 16 transitions; safety holds
 */

chan c = [1] of { byte };
byte g;

active proctype takes() priority 1
{
	byte a, b;

	xr c;
	do
	:: c?a;
	   b = a;
	   a = 3;
	   b = b + a;
	   g = b
	od
}

active proctype gives() priority 2
{
	xs c;
	do
	:: c!1
	od
}

active proctype writes() priority 1
{
	byte z;

	z = 1;
	z = 2;
	do
	:: g = z
	od
}
