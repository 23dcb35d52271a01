/*
 * A pipeline that sorts: each of N cells keeps the largest number that it has seen and passes the
 * others on. A source sends N numbers, any of K each time; the last cell ends up with the smallest.
 *
 * symmetry: none, cells have an order
 *
 * expect: -D N=3 plain 34329 states 97481 transitions; default 33013 states 94477 transitions; safety holds
 * expect: -D N=4 plain 421807 states 1465271 transitions; default 404379 states 1416347 transitions; safety holds
 * bench: -D N=5 plain 4479761 states 18303919 transitions; default not measured; safety holds
 */

#ifndef N
#define N 4
#endif
#ifndef K
#define K 4
#endif

chan link[N] = [2] of { byte };
byte kept[N];
byte n_done;

active proctype source()
{
	byte n, x;

	do
	:: n < N ->
		x = 1;
		do
		:: x < K -> x++
		:: break
		od;
		link[0]!x;
		n++
	:: else -> break
	od;
end:	false
}

active [N] proctype cell()
{
	byte me = _pid - 1, n, x;

	link[me]?kept[me];
	n = 1;
	do
	:: n < N - me ->
		link[me]?x;
		if
		:: x > kept[me] -> link[me + 1]!kept[me]; kept[me] = x
		:: else -> link[me + 1]!x
		fi;
		n++
	:: else -> break
	od;
	n_done++;
	if
	:: n_done == N && me > 0 -> assert(kept[me - 1] >= kept[me])
	:: else
	fi;
end:	false
}
