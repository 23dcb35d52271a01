/*
 * One packet travels in a hypercube of D dimensions. A node that is not the goal sends the packet
 * along some dimension in which it differs from the goal; the goal chooses a new one.
 * Node i stands at the corner whose coordinates are the bits of i - 1.
 * After A. F. Donaldson (2007), chapter 5: 15409 states by default for D = 3, 8866 with -D FIXED
 * (the packet starts at node 1). The difference to the plain count comes from `way`: it starts
 * with D, and SPIN resets a dead local to 0, so that each node carries a bit.
 *
 * symmetry: the whole group of the cube, K_D x| S_D of order 2^D D!; with FIXED the S_D that
 * fixes node 1; seen only by who understands the bits of a node. Goals are chosen among literals:
 * counting up to one (`select`) would tell the nodes apart
 *
 * expect: -D D=2 plain 25 states 41 transitions; default 249 states 397 transitions; safety holds
 * expect: -D D=3 plain 113 states 209 transitions; default 15409 states 29145 transitions; safety holds
 * expect: -D D=3 -D FIXED plain 113 states 202 transitions; default 8866 states 16622 transitions; safety holds
 * expect: -D D=4 plain 481 states 993 transitions; default not measured; safety holds
 * expect: -D D=5 plain 1985 states 4545 transitions; default not measured; safety holds
 * expect: -D D=6 plain 8065 states 20353 transitions; default not measured; safety holds
 * bench: -D D=4 plain 481 states 993 transitions; default 15796865 states 33875089 transitions; safety holds
 */

#ifndef D
#define D 3
#endif
#if D == 2
#define NODES 4
#define EACH(of) EACH_4(of, 0)
#elif D == 3
#define NODES 8
#define EACH(of) EACH_8(of, 0)
#elif D == 4
#define NODES 16
#define EACH(of) EACH_8(of, 0) EACH_8(of, 8)
#elif D == 5
#define NODES 32
#define EACH(of) EACH_32(of, 0)
#else
#define NODES 64
#define EACH(of) EACH_32(of, 0) EACH_32(of, 32)
#endif
#define EACH_32(of, after) \
	EACH_8(of, after) EACH_8(of, after + 8) EACH_8(of, after + 16) EACH_8(of, after + 24)
#define EACH_4(of, after) of(after + 1) of(after + 2) of(after + 3) of(after + 4)
#define EACH_8(of, after) EACH_4(of, after) EACH_4(of, after + 4)

mtype = { packet };
chan link[NODES + 1] = [1] of { mtype };
pid goal, at;

#define DIFFERS(b) ((((_pid - 1) ^ (goal - 1)) >> b) & 1)
#define NEIGHBOUR(b) (((_pid - 1) ^ (1 << b)) + 1)

#define GO(node) :: _pid != node -> goal = node;
#define START(node) :: link[node]!packet -> goal = node;

proctype node()
{
	byte way = D;

	do
	:: atomic {
		link[_pid]?packet;
		at = _pid;
		if
		:: goal == _pid ->
			if
			EACH(GO)
			fi
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
#if D > 5
		:: DIFFERS(5) -> way = 5
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
		i = 0;
		if
#ifdef FIXED
		START(1)
#else
		EACH(START)
#endif
		fi
	}
}
