/*
 * Data that is carried and never looked into: a sender writes some of V values, a carrier holds up
 * to K of them, a receiver compares what it gets with what was last sent in its turn. The values are
 * a scalarset that indexes nothing, so that beyond a bound more of them make no more orbits.
 * After C. N. Ip and D. Dill (1993), data scalarsets. -D LOSSY lets the carrier lose a value.
 *
 * symmetry: S_V on the values
 * twin: courier_twin.pml
 *
 * expect: -D V=2 -D K=1 plain 152 states 283 transitions; default 63 states 111 transitions; safety holds
 * expect: -D V=3 -D K=2 plain 1096 states 2163 transitions; default 468 states 916 transitions; safety holds
 * expect: -D V=4 -D K=2 plain 2652 states 5267 transitions; default 1155 states 2285 transitions; safety holds
 * expect: -D V=2 -D K=2 -D LOSSY plain 1576 states 3683 transitions 224 errors; default 729 states 1625 transitions 70 errors; safety violated (assertion, invalid end state)
 */

#ifndef V
#define V 3
#endif
#ifndef K
#define K 2
#endif

scalarset value[V];

chan line = [K] of { bit, value };
chan witness = [K] of { value };

active proctype sender()
{
	value v;
	bit turn;

	do
	:: v = anyRef(value);
		atomic { nfull(line) -> line!turn, v; witness!v };
		v = V;
		turn = 1 - turn
	od
}

#ifdef LOSSY
active proctype carrier()
{
end:	do
	:: line?_, _
	od
}
#endif

active proctype receiver()
{
	value got, meant;

end:	do
	:: atomic { line?_, got; witness?meant };
		assert(got == meant && got != V);
		atomic { got = V; meant = V }
	od
}
