/* The same lock, tested and taken in two steps: both may see it free. */
bool locked;
byte inside;

active [2] proctype user()
{
	do
	:: !locked ->
	   locked = true;
	   inside++;
	   printf("%d is in\n", _pid);
	   assert(inside == 1);
	   inside--;
	   locked = false
	od
}

/* orbit: expect violated assertions */
