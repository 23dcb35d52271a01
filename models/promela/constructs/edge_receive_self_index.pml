/*
 * A receive into the variable that chose its channel: pan undoes the step with the new value as
 * index, and reports errors that no run has. The true answer is 5 states and no error.
 *
 * expect: plain 5 states 5 transitions 2 errors; default 5 states 5 transitions 2 errors; safety violated (array index, ref to uninitialized chan (unrecv))
 */

chan c[2] = [1] of { byte };

active proctype p()
{
	byte x = 1;

	c[1]!9;
	c[x]?x;
	assert(x == 9)
}
