/*
 * Two process types with the same text, each with a global variable of its own. TopSPIN sees
 * symmetry of processes of one type and of channels only, not of variables and not of types.
 *
 * symmetry: order 2, the processes with their variables
 *
 * expect: plain 20 states 31 transitions 1 errors; default 20 states 31 transitions 1 errors; safety violated (invalid end state)
 */

bool wants_left, wants_right;
byte inside;

active proctype left()
{
end:	do
	:: wants_left = true;
		(!wants_right);
		inside++;
		assert(inside == 1);
		inside--;
		wants_left = false
	od
}

active proctype right()
{
end:	do
	:: wants_right = true;
		(!wants_left);
		inside++;
		assert(inside == 1);
		inside--;
		wants_right = false
	od
}
