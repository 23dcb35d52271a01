/*
 * The simple mutual exclusion as one module of guarded commands, as for SMC: all that a process
 * has is in arrays, and each command is one step. No process makes the others, so that there is no
 * state before they run.
 * After A. F. Donaldson (2007), section 2.6, where the module of SMC is described.
 *
 * symmetry: S_N on the processes; (N+2) 2^(N-1) states in 2N + 1 orbits
 *
 * orbits: -D N=3 full 20 orbits 7 group S3
 * orbits: -D N=5 full 112 orbits 11 group S5
 */

#ifndef N
#define N 5
#endif

byte at[N];	/* 0 idle, 1 trying, 2 critical */
byte n_critical;

active [N] proctype module()
{
	do
	:: atomic { at[_pid] == 0 -> at[_pid] = 1 }
	:: atomic { at[_pid] == 1 && n_critical == 0 -> at[_pid] = 2; n_critical++ }
	:: atomic { at[_pid] == 2 -> at[_pid] = 0; n_critical-- }
	od
}
