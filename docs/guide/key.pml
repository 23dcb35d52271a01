/* Three clients share a key, and any of them may go down with the key in hand. */
bool held;
byte n_down;

active [3] proctype client()
{
	do
	:: atomic { !held -> held = true };
		if
		:: held = false
		:: break
		fi
	od;
	n_down++
}

/* orbit: expect violated deadlock */
