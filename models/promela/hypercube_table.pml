/*
 * The packet in the cube of three dimensions, without arithmetic on nodes: the links are
 * parameters, and the coordinates of a node are a table.
 * After A. F. Donaldson (2007), chapter 5: 15409 states by default, 8866 with -D FIXED.
 *
 * symmetry: K_3 x| S_3 of order 48; comparing texts finds the 8 translations only, because a
 * permutation of the dimensions also permutes the parameters; with FIXED S_3
 *
 * expect: plain 113 states 209 transitions; default 15409 states 29145 transitions; safety holds
 * expect: -D FIXED plain 113 states 202 transitions; default 8866 states 16622 transitions; safety holds
 */

mtype = { packet };
chan link1 = [1] of { mtype };
chan link2 = [1] of { mtype };
chan link3 = [1] of { mtype };
chan link4 = [1] of { mtype };
chan link5 = [1] of { mtype };
chan link6 = [1] of { mtype };
chan link7 = [1] of { mtype };
chan link8 = [1] of { mtype };
pid goal, at;

#define X(i) (i == 2 || i == 4 || i == 6 || i == 8)
#define Y(i) (i == 3 || i == 4 || i == 7 || i == 8)
#define Z(i) (i == 5 || i == 6 || i == 7 || i == 8)

#define OTHER(i) :: _pid != i -> goal = i
#define START(i) :: link ## i!packet; goal = i

proctype node(chan in, x, y, z)
{
	byte way = 4;

	do
	:: atomic {
		in?packet;
		at = _pid;
		if
		:: goal == _pid ->
			if
			OTHER(1) OTHER(2) OTHER(3) OTHER(4)
			OTHER(5) OTHER(6) OTHER(7) OTHER(8)
			fi
		:: else
		fi
	};
	atomic {
		if
		:: X(_pid) != X(goal) -> way = 0
		:: Y(_pid) != Y(goal) -> way = 1
		:: Z(_pid) != Z(goal) -> way = 2
		fi;
		assert(way < 3);
		if
		:: way == 0 -> x!packet
		:: way == 1 -> y!packet
		:: way == 2 -> z!packet
		fi;
		way = 4;
		at = 0
	}
	od
}

init {
	atomic {
		run node(link1, link2, link3, link5);
		run node(link2, link1, link4, link6);
		run node(link3, link4, link1, link7);
		run node(link4, link3, link2, link8);
		run node(link5, link6, link7, link1);
		run node(link6, link5, link8, link2);
		run node(link7, link8, link5, link3);
		run node(link8, link7, link6, link4);
		if
		START(1)
#ifndef FIXED
		START(2) START(3) START(4) START(5) START(6) START(7) START(8)
#endif
		fi
	}
}
