/*
 * Clients ask their server, servers ask one database; A clients at the first server, B at the
 * second, C at the third, D at the fourth (0: there is none). Channels travel in messages: a
 * request carries the channel for the answer.
 * After A. F. Donaldson (2007), chapter 5 and appendix A. All channels are rendezvous by default;
 * -D BUFFERED gives one place to each and as many to the database as there are servers; -D MIXED
 * gives one place to the first server's requests only.
 * His table for the buffered model: 103105 (3-3), 1.1e6 (4-4); for the rendezvous model 3/3/2 he
 * prints 2021, where SPIN 6.5 gives 3421 for his text.
 *
 * symmetry: products of S_size wr S_many over servers of equal size: S3 wr S2 x S2 for 3/3/2
 *
 * expect: -D A=1 -D B=1 -D C=0 plain 57 states 128 transitions; default 57 states 128 transitions; safety holds
 * expect: -D A=3 -D B=3 -D C=2 plain 3421 states 11880 transitions; default 3421 states 11880 transitions; safety holds
 * expect: -D A=3 -D B=3 -D C=2 -D MIXED plain 11545 states 46077 transitions; default 11545 states 46077 transitions; safety holds
 * expect: -D A=2 -D B=2 -D C=0 -D BUFFERED plain 7597 states 31562 transitions; default 7597 states 31562 transitions; safety holds
 * expect: -D A=3 -D B=3 -D C=0 -D BUFFERED plain 103105 states 545314 transitions; default 103105 states 545314 transitions; safety holds
 * bench: -D A=4 -D B=4 -D C=0 -D BUFFERED plain 1049601 states 6681602 transitions; default 1049601 states 6681602 transitions; safety holds
 */

#ifndef A
#define A 2
#define B 2
#define C 0
#endif
#ifndef D
#define D 0
#endif
#if D > 0
#define SERVERS 4
#elif C > 0
#define SERVERS 3
#else
#define SERVERS 2
#endif
#define CLIENTS (A + B + C + D)

#ifdef BUFFERED
#define ROOM 1
#define DB_ROOM SERVERS
#else
#define ROOM 0
#define DB_ROOM 0
#endif
#ifdef MIXED
#define FIRST_ROOM 1
#else
#define FIRST_ROOM ROOM
#endif

mtype = { request, response, query, result };

chan db = [DB_ROOM] of { mtype, chan };
chan ask1 = [FIRST_ROOM] of { mtype, chan };
chan ask2 = [ROOM] of { mtype, chan };
chan ask3 = [ROOM] of { mtype, chan };
#if D > 0
chan ask4 = [ROOM] of { mtype, chan };
#endif
chan served[SERVERS] = [ROOM] of { mtype };
chan mine[CLIENTS] = [ROOM] of { mtype };
chan null = [0] of { mtype };

proctype database(chan link)
{
	chan who = null;

	do
	:: link?query(who);
		who!result;
		who = null
	od
}

proctype server(chan in, clients, link)
{
	chan who = null;

	do
	:: clients?request(who);
		link!query(in);
		in?result;
		who!response;
		who = null
	od
}

proctype client(chan in, link)
{
	do
	:: link!request(in);
		in?response
	od
}

init {
	byte i;

	atomic {
		run database(db);
		run server(served[0], ask1, db);
		run server(served[1], ask2, db);
#if C > 0
		run server(served[2], ask3, db);
#endif
#if D > 0
		run server(served[3], ask4, db);
#endif
		for (i : 0 .. CLIENTS - 1) {
			if
			:: i < A -> run client(mine[i], ask1)
			:: i >= A && i < A + B -> run client(mine[i], ask2)
			:: i >= A + B && i < A + B + C -> run client(mine[i], ask3)
#if D > 0
			:: i >= A + B + C -> run client(mine[i], ask4)
#endif
			fi
		}
	}
}
