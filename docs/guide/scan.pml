/* Workers look at each other in the order of their numbers. */
byte seen[4];

active [3] proctype worker()
{
	byte i;

	do
	:: for (i : 0 .. 2) {
		if
		:: i != _pid -> seen[i] = seen[i] + 1
		:: else
		fi
	   }
	   seen[_pid] = 0
	od
}
