/*
 * The allocator that serves two clients of level 0, three of level 1 and two of level 2, the
 * highest first, as modules of guarded commands, as for SMC: a module for the clients of each
 * level, and one for the allocator. A link is a number for each client: 0 empty, 1 a request, 2 a
 * confirmation, 3 finished.
 * After A. F. Donaldson (2007), section 5.5, where the modules of SMC are described.
 *
 * symmetry: S2 x S3 x S2 on the clients
 *
 * orbits: full 1920 orbits 336 group S2 x S3 x S2
 */

byte link[7], at[7];
byte holder = 7;	/* nobody */
byte current = 7;
byte at_allocator;

#define ASKS(i) (link[i] == 1)
#define HIGH (ASKS(5) || ASKS(6))
#define MIDDLE (ASKS(2) || ASKS(3) || ASKS(4))
#define TAKE(i) at_allocator = 1; current = i; link[i] = 0
#define CLIENT \
	do \
	:: atomic { at[_pid] == 0 && link[_pid] == 0 -> link[_pid] = 1; at[_pid] = 1 } \
	:: atomic { at[_pid] == 1 && link[_pid] == 2 -> link[_pid] = 0; holder = _pid; at[_pid] = 2 } \
	:: atomic { at[_pid] == 2 && link[_pid] == 0 -> link[_pid] = 3; holder = 7; at[_pid] = 0 } \
	od

active [2] proctype low() { CLIENT }
active [3] proctype middle() { CLIENT }
active [2] proctype high() { CLIENT }

active proctype allocator()
{
	do
	:: atomic { at_allocator == 0 && ASKS(5) -> TAKE(5) }
	:: atomic { at_allocator == 0 && ASKS(6) -> TAKE(6) }
	:: atomic { at_allocator == 0 && ASKS(2) && !HIGH -> TAKE(2) }
	:: atomic { at_allocator == 0 && ASKS(3) && !HIGH -> TAKE(3) }
	:: atomic { at_allocator == 0 && ASKS(4) && !HIGH -> TAKE(4) }
	:: atomic { at_allocator == 0 && ASKS(0) && !HIGH && !MIDDLE -> TAKE(0) }
	:: atomic { at_allocator == 0 && ASKS(1) && !HIGH && !MIDDLE -> TAKE(1) }
	:: atomic { at_allocator == 1 -> link[current] = 2; at_allocator = 2 }
	:: atomic { at_allocator == 2 && link[current] == 3 -> link[current] = 0; current = 7; at_allocator = 0 }
	od
}
