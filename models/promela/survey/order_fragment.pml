/*
 * A token that goes to anyone of five, and back to the first if its number is above 3: numbers that
 * are compared by order tell processes apart. -D UNREACHED puts the comparison where it is never
 * made; the group that is found from the text stays the smaller one, and is right.
 * After A. Miller, A. Donaldson and M. Calder (2006), section 6.
 *
 * symmetry: Sym{2,3} x Sym{4,5}
 *
 * orbits: full 7 orbits 5 group S2 x S2
 * orbits: -D UNREACHED full 7 orbits 5 group S2 x S2
 */

byte tok;
bool flag;

proctype p()
{
	do
	:: tok = _pid
#ifdef UNREACHED
	:: atomic { flag && tok > 3 -> tok = 1 }
#else
	:: atomic { tok > 3 -> tok = 1 }
#endif
	od
}

init {
	atomic { run p(); run p(); run p(); run p(); run p() }
}
