/*
 * printf and printm are steps that change nothing but the place.
 *
 * expect: plain 6 states 6 transitions; default 6 states 6 transitions; safety holds
 */

mtype = { red, green };
byte x;

active proctype p()
{
	printf("x is %d, %e\n", x, green);
	printm(red);
	x++;
	d_step { printf("again %d\n", x); x++ }
}
