/*
 * Two users and a lock. The users are started one after the other, so the first may move before
 * the second is there. TopSPIN refuses such a start; here it is the only part that is not
 * symmetric: once both are there they are interchangeable.
 *
 * symmetry: S_2 on the users, once both are there
 *
 * expect: plain 15 states 22 transitions; default 15 states 22 transitions; safety holds
 */

bool taken;
byte inside;

proctype user()
{
	do
	:: atomic { !taken -> taken = true };
		inside++;
		assert(inside == 1);
		inside--;
		taken = false
	od
}

init {
	run user();
	run user()
}
