/* Workers look at each other in the order of their numbers. */
bool seen[4];

active [3] proctype worker()
{
	byte i;

	do
	:: for (i : 0 .. 2) {
		if
		:: i != _pid -> seen[i] = true
		:: else
		fi
	   }
	   seen[_pid] = false
	od
}
