/*
 * R readers and W writers that are alike but for one step: each is idle (0), trying (1) or in (2).
 * Whoever tries goes in if nobody is in; a reader also if no writer is in.
 *
 * symmetry: S_R on the readers, S_W on the writers; of all users without the step of readers
 *
 * expect: -D R=2 -D W=1 plain 22 states 66 transitions; default 22 states 66 transitions; safety holds
 * expect: -D R=5 -D W=2 plain 1100 states 6793 transitions; default 1100 states 6793 transitions; safety holds
 */

#ifndef R
#define R 2
#endif
#ifndef W
#define W 1
#endif

#if W == 1
#define WRITER_IN (at[R] == 2)
#else
#define WRITER_IN (at[R] == 2 || at[R + 1] == 2)
#endif

byte at[R + W];
byte n_in;

active [R + W] proctype user()
{
	do
	:: atomic { at[_pid] == 0 -> at[_pid] = 1 }
	:: atomic { at[_pid] == 1 && n_in == 0 -> at[_pid] = 2; n_in++ }
	:: atomic { at[_pid] == 1 && _pid < R && !WRITER_IN -> at[_pid] = 2; n_in++ }
	:: atomic { at[_pid] == 2 -> at[_pid] = 0; n_in-- }
	od
}
