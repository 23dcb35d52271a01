/*
 * Peterson's mutual exclusion as one module of guarded commands, as for SMC: flags, levels and
 * places of processes are in arrays, and who came last to a level is a row of bits, of which a
 * command clears all but its own. Each command is one step.
 * After A. F. Donaldson (2007), appendix A, where the module of SMC is described.
 *
 * symmetry: S_N on the processes
 *
 * orbits: -D N=2 full 128 orbits 66 group S2
 * orbits: -D N=3 full 3265 orbits 606 group S3
 */

#ifndef N
#define N 3
#endif

typedef Row {
	bit last[N]
};

Row turn[N];
byte flag[N], level[N], at[N];
byte n_critical;

#define BEHIND(j) (_pid == j || flag[j] < level[_pid])
#if N == 2
#define ALONE (BEHIND(0) && BEHIND(1))
#else
#define ALONE (BEHIND(0) && BEHIND(1) && BEHIND(2))
#endif

active [N] proctype module()
{
	byte j;

	do
	:: atomic { at[_pid] == 0 -> level[_pid] = 1; at[_pid] = 1 }
	:: atomic { at[_pid] == 1 && level[_pid] < N -> at[_pid] = 2 }
	:: atomic { at[_pid] == 1 && level[_pid] == N -> at[_pid] = 6 }
	:: atomic { at[_pid] == 2 -> flag[_pid] = level[_pid]; at[_pid] = 3 }
	:: d_step { at[_pid] == 3 ->
		for (j : 0 .. N - 1) {
			turn[level[_pid]].last[j] = 0
		}
		j = 0;
		turn[level[_pid]].last[_pid] = 1;
		at[_pid] = 4
	}
	:: atomic { at[_pid] == 4 && (ALONE || !turn[level[_pid]].last[_pid]) -> at[_pid] = 5 }
	:: atomic { at[_pid] == 5 -> level[_pid]++; at[_pid] = 1 }
	:: atomic { at[_pid] == 6 -> n_critical++; assert(n_critical == 1); at[_pid] = 7 }
	:: atomic { at[_pid] == 7 -> n_critical--; at[_pid] = 8 }
	:: atomic { at[_pid] == 8 -> flag[_pid] = 0; at[_pid] = 0 }
	od
}
