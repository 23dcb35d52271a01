/*
 * One packet travels in a hypercube of D dimensions. A node that is not the goal sends the packet
 * along some dimension in which it differs from the goal; the goal chooses a new one.
 * Node i stands at the corner whose coordinates are the bits of i - 1.
 * After A. F. Donaldson (2007), chapter 5: 15409 states by default for D = 3, 8866 with -D FIXED
 * (the packet starts at node 1). The difference to the plain count comes from `way`: it starts
 * with D, and SPIN resets a dead local to 0, so that each node carries a bit.
 *
 * symmetry: the whole group of the cube, K_D x| S_D of order 2^D D!; with FIXED the S_D that
 * fixes node 1; seen only by who understands the bits of a node
 *
 * expect: -D D=2 plain 25 states 41 transitions; default 249 states 397 transitions; safety holds
 * expect: -D D=3 plain 113 states 209 transitions; default 15409 states 29145 transitions; safety holds
 * expect: -D D=3 -D FIXED plain 113 states 202 transitions; default 8866 states 16622 transitions; safety holds
 * expect: -D D=4 plain 481 states 993 transitions; default not measured; safety holds
 * expect: -D D=5 plain 1985 states 4545 transitions; default not measured; safety holds
 * bench: -D D=4 plain 481 states 993 transitions; default 15796865 states 33875089 transitions; safety holds
 */

#ifndef D
#define D 3
#endif
#if D == 2
#define NODES 4
#elif D == 3
#define NODES 8
#elif D == 4
#define NODES 16
#else
#define NODES 32
#endif

mtype = { packet };
chan link[NODES + 1] = [1] of { mtype };
pid goal, at;

#define DIFFERS(b) ((((_pid - 1) ^ (goal - 1)) >> b) & 1)
#define NEIGHBOUR(b) (((_pid - 1) ^ (1 << b)) + 1)

proctype node()
{
	byte way = D;
	byte next;

	do
	:: atomic {
		link[_pid]?packet;
		at = _pid;
		if
		:: goal == _pid ->
			select (next : 1 .. NODES - 1);
			if
			:: next >= _pid -> next++
			:: else
			fi;
			goal = next;
			next = 0
		:: else
		fi
	};
	atomic {
		if
		:: DIFFERS(0) -> way = 0
		:: DIFFERS(1) -> way = 1
#if D > 2
		:: DIFFERS(2) -> way = 2
#endif
#if D > 3
		:: DIFFERS(3) -> way = 3
#endif
#if D > 4
		:: DIFFERS(4) -> way = 4
#endif
		fi;
		assert(way < D);
		link[NEIGHBOUR(way)]!packet;
		way = D;
		at = 0
	}
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. NODES) {
			run node()
		}
#ifdef FIXED
		i = 1;
#else
		select (i : 1 .. NODES);
#endif
		link[i]!packet;
		goal = i;
		i = 0
	}
}
