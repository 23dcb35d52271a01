/*
 * Three readers and two writers in one array, told apart by a number: a reader goes in if no writer
 * is in. With scalarsets this comparison is refused; here the smaller group is found.
 * After A. Miller, A. Donaldson and M. Calder (2006), figure 8.
 *
 * symmetry: Sym{0,1,2} x Sym{3,4}
 *
 * orbits: full 140 orbits 38 group S3 x S2
 */

#define FIRST_WRITER 3

byte st[5];
byte n_in;

active [5] proctype p()
{
	do
	:: atomic { st[_pid] == 0 -> st[_pid] = 1 }
	:: atomic { st[_pid] == 1 && n_in == 0 -> st[_pid] = 2; n_in++ }
	:: atomic { st[_pid] == 1 && _pid < FIRST_WRITER && st[3] != 2 && st[4] != 2 ->
		st[_pid] = 2; n_in++ }
	:: atomic { st[_pid] == 2 -> st[_pid] = 0; n_in-- }
	od
}
