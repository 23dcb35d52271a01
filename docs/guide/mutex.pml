/* N processes take turns; a lock keeps all but one out. */
#ifndef N
#define N 2
#endif

bool locked;
byte inside;

active [N] proctype user()
{
	do
	:: atomic { !locked -> locked = true };
	   inside++;
	   assert(inside == 1);
	   inside--;
	   locked = false
	od
}

/* orbit: expect holds */
