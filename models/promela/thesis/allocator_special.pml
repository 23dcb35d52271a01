/*
 * An allocator lends one resource to seven clients that are alike but for the fourth, which may
 * keep it for a second use. From who sends to whom the clients look all alike: 5040 symmetries are
 * tried, of which those that keep the fourth are valid.
 * After A. F. Donaldson (2007), section 4.4.
 *
 * symmetry: the other six clients with their links, S6
 *
 * orbits: full 2433 orbits 117 group S6
 */

mtype = { request, confirmation, finished };
chan link[8] = [1] of { mtype };
byte uses;

#define LEND(i) :: atomic { link[i]?[request] -> link[i]?request; link[i]!confirmation; \
	current = link[i] }

proctype client(chan own)
{
	do
	:: own!request;
		atomic { own?confirmation; uses = 1 };
		if
		:: atomic { _pid == 4 && uses == 1 -> uses = 2 };
			atomic { uses == 2 -> uses = 0; own!finished }
		:: atomic { uses == 1 -> uses = 0; own!finished }
		fi
	od
}

proctype allocator()
{
	chan current;

	do
	:: if
		LEND(1)
		LEND(2)
		LEND(3)
		LEND(4)
		LEND(5)
		LEND(6)
		LEND(7)
		fi;
		current?finished
	od
}

init {
	atomic {
		run client(link[1]); run client(link[2]); run client(link[3]); run client(link[4]);
		run client(link[5]); run client(link[6]); run client(link[7]); run allocator()
	}
}
