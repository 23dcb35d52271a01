/*
 * Trains are numbered 0 and 1 and stations 0 to 3 by the modeller: train t is at home in the
 * stations 2t and 2t + 1, and takes turns between them through a shared crossing. TopSPIN wants
 * `_pid` for every id and no arithmetic on it; all twelve railways of a class of students failed
 * for such reasons.
 *
 * symmetry: order 2, the trains with their stations
 *
 * expect: plain 34 states 52 transitions; default 34 states 52 transitions; safety holds
 */

bool crossing;
bool at[4];
byte n_over;

proctype train(byte id)
{
	byte here = 2 * id;

	at[here] = true;
	do
	:: atomic { !crossing -> crossing = true; at[here] = false; n_over++ };
		assert(n_over == 1);
		atomic {
			if
			:: here == 2 * id -> here = 2 * id + 1
			:: else -> here = 2 * id
			fi;
			at[here] = true;
			n_over--;
			crossing = false
		}
	od
}

init {
	atomic {
		run train(0);
		run train(1)
	}
}
