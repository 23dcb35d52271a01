/*
 * Seven clients of levels 0,0,1,1,1,2,2 and an allocator. Before a client of level 1 gives the
 * resource back, it may serve the next of its circle 3 -> 4 -> 5 -> 3.
 * After A. F. Donaldson (2007), chapter 5 and appendix A; 2353 states.
 *
 * symmetry: S2 x C3 x S2, order 12, on the clients with their links
 *
 * expect: plain 2353 states 9238 transitions; default 2353 states 9238 transitions; safety holds
 */

mtype = { request, confirmation, finished };
chan link1 = [1] of { mtype };
chan link2 = [1] of { mtype };
chan link3 = [1] of { mtype };
chan link4 = [1] of { mtype };
chan link5 = [1] of { mtype };
chan link6 = [1] of { mtype };
chan link7 = [1] of { mtype };
chan none = [0] of { mtype };
pid holder;
byte priorities[9];
hidden byte level;

#define ASKS(i) (link ## i?[request])
#define TAKE(i) :: ASKS(i) && priorities[i] == level -> current = link ## i; break
#define SHARE(i, j) :: _pid == i && ASKS(j) -> \
	link ## j?request; link ## j!confirmation; link ## j?finished

proctype client(chan own)
{
	do
	:: own!request;
		atomic { own?confirmation; holder = _pid };
		atomic {
			assert(priorities[_pid] < 3);
			holder = 0;
			if
			SHARE(3, 4)
			SHARE(4, 5)
			SHARE(5, 3)
			:: else
			fi;
			own!finished
		}
	od
}

proctype allocator()
{
	chan current = none;

	do
	:: atomic {
		(ASKS(1) || ASKS(2) || ASKS(3) || ASKS(4) || ASKS(5) || ASKS(6) || ASKS(7));
		level = 2;
		do
		TAKE(1) TAKE(2) TAKE(3) TAKE(4) TAKE(5) TAKE(6) TAKE(7)
		:: else -> level--
		od;
		current?request
	};
	current!confirmation;
	d_step { current?finished; current = none }
	od
}

init {
	atomic {
		run client(link1);
		run client(link2);
		run client(link3);
		run client(link4);
		run client(link5);
		run client(link6);
		run client(link7);
		run allocator();
		priorities[3] = 1;
		priorities[4] = 1;
		priorities[5] = 1;
		priorities[6] = 2;
		priorities[7] = 2
	}
}
