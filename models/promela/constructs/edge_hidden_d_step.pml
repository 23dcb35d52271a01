/*
 * SPIN takes back a `d_step` without the hidden variables that it wrote, so that later runs read
 * what an earlier one left there: it counts 141 states where there are 133 with the variable and
 * 106 without it.
 *
 * expect: plain 141 states 249 transitions; default 73 states 129 transitions; safety holds
 */

hidden byte h;
byte g;

active [2] proctype p()
{
	byte n;

	do
	:: n < 2 ->
		d_step {
			n++;
			h = n + _pid
		};
		g = h
	:: else -> break
	od
}
