/*
 * N clients send mail to each other, and to themselves, through a network with CAP places and a
 * mailer that puts each message into the box of its receiver.
 * After A. F. Donaldson (2007), chapter 11: 23256 and 852641 states for 3 and 4 clients.
 * -D LOST makes the mailer mistake client 2 for client 1, so that the assertion fails.
 * -D OTHERS forbids mail to oneself. Without LOST and OTHERS all is symmetric.
 *
 * symmetry: S_N on the clients with their boxes; messages and locals hold clients; with LOST
 * S_(N-2)
 *
 * expect: -D N=2 plain 565 states 1294 transitions; default 565 states 1294 transitions; safety holds
 * expect: -D N=3 plain 23256 states 71006 transitions; default 23256 states 71006 transitions; safety holds
 * expect: -D N=3 -D OTHERS plain 4247 states 12434 transitions; default 4247 states 12434 transitions; safety holds
 * expect: -D N=3 -D CAP=1 plain 2520 states 7502 transitions; default 2520 states 7502 transitions; safety holds
 * expect: -D N=3 -D LOST plain 14553 states 38624 transitions 5817 errors; default 14553 states 38624 transitions 5817 errors; safety violated (assertion)
 * expect: -D N=4 plain 852641 states 3305634 transitions; default 852641 states 3305634 transitions; safety holds
 * bench: -D N=4 -D CAP=3 plain 13652641 states 52969634 transitions; default 13652641 states 52969634 transitions; safety holds
 */

#ifndef N
#define N 3
#endif
#ifndef CAP
#define CAP 2
#endif

chan box[N + 1] = [1] of { pid, pid };
chan network = [CAP] of { pid, pid };
chan none = [0] of { pid, pid };
byte initialised;

#ifdef OTHERS
#define TO(i) :: _pid != i -> receiver = i
#else
#define TO(i) :: receiver = i
#endif
#define PUT(i) :: receiver == i -> to = box[i]

proctype client(chan in)
{
	pid sender, receiver;
	chan out = none;

	d_step { out = network; initialised++ };
	do
	:: atomic {
		initialised == N && (nempty(in) || nfull(out)) ->
		if
		:: nempty(in) ->
			in?sender, receiver;
			assert(receiver == _pid);
			d_step { sender = 0; receiver = 0 }
		:: empty(in) && nfull(out) ->
			if
			TO(1)
			TO(2)
#if N > 2
			TO(3)
#endif
#if N > 3
			TO(4)
#endif
#if N > 4
			TO(5)
#endif
#if N > 5
			TO(6)
#endif
#if N > 6
			TO(7)
#endif
			fi;
			d_step {
				sender = _pid;
				out!sender, receiver;
				sender = 0;
				receiver = 0
			}
		fi
	}
	od
}

proctype mailer(chan in)
{
	pid sender, receiver;
	chan to = none;

	do
	:: atomic {
		in?sender, receiver;
		if
		PUT(1)
#ifdef LOST
		:: receiver == 2 -> to = box[1]
#else
		PUT(2)
#endif
#if N > 2
		PUT(3)
#endif
#if N > 3
		PUT(4)
#endif
#if N > 4
		PUT(5)
#endif
#if N > 5
		PUT(6)
#endif
#if N > 6
		PUT(7)
#endif
		fi
	};
	atomic {
		to!sender, receiver;
		to = none;
		sender = 0;
		receiver = 0
	}
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run client(box[i])
		}
		run mailer(network)
	}
}
