/* A lock with a promise. */
bool locked;

active [2] proctype user()
{
	do
	:: atomic { !locked -> locked = true };
	   locked = false
	od
}

ltl free_again { [] (locked -> <> !locked) }
