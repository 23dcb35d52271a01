/*
 * `courier.pml` in ordinary Promela; V is no value.
 *
 * symmetry: S_V on the values
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

#define value byte

chan line = [K] of { bit, value };
chan witness = [K] of { value };

active proctype sender()
{
	value v = V;
	bit turn;

	do
	:: if
		:: v = 0
		:: v = 1
#if V > 2
		:: v = 2
#endif
#if V > 3
		:: v = 3
#endif
		fi;
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
	value got = V, meant = V;

end:	do
	:: atomic { line?_, got; witness?meant };
		assert(got == meant && got != V);
		atomic { got = V; meant = V }
	od
}
