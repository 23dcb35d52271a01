/*
 * N caches keep copies of one word coherent over a bus that serves one request at a time. A cache
 * asks for a copy to read or to write; the bus tells all others, waits until each has given way,
 * and grants. A writer's copy is modified and is written back when somebody else asks.
 * Invariants: who reads sees what was last written; a modified copy is the only copy.
 * After the MSI protocol; -D MESI adds the exclusive state, from which a cache writes without
 * asking; -D FORGET lets a cache that gives way keep its copy while its own request waits.
 *
 * symmetry: S_N on the caches with their channels
 *
 * expect: -D N=2 plain 341 states 986 transitions; default 309 states 930 transitions; safety holds
 * expect: -D N=3 plain 1949 states 7454 transitions; default 1769 states 7046 transitions; safety holds
 * expect: -D N=2 -D MESI plain 409 states 1258 transitions; default 365 states 1110 transitions; safety holds
 * expect: -D N=3 -D MESI plain 2243 states 8822 transitions; default 2141 states 8456 transitions; safety holds
 * expect: -D N=2 -D FORGET plain 433 states 1274 transitions 56 errors; default 393 states 1202 transitions 56 errors; safety violated (assertion)
 * expect: -D N=4 plain 10153 states 50114 transitions; default 9137 states 46442 transitions; safety holds
 * bench: -D N=8 plain 4778705 states 49396290 transitions; default 4358753 states 45405074 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

mtype = { invalid, shared, exclusive, modified, read, write };
mtype copy[N + 1] = invalid;
bit word[N + 1];
bit memory, latest;
byte n_answers;
bool others_share;

chan bus = [1] of { mtype, pid };
chan snoop[N + 1] = [1] of { mtype };
chan granted[N + 1] = [1] of { mtype };

/* The cache gives way to somebody else's read or write. */
inline give_way(what)
{
	if
	:: copy[_pid] == modified -> memory = word[_pid]
	:: else
	fi;
	if
	:: copy[_pid] == invalid
	:: copy[_pid] != invalid && what == read -> copy[_pid] = shared; others_share = true
	:: copy[_pid] != invalid && what == write -> copy[_pid] = invalid; word[_pid] = 0
	fi;
	n_answers++
}

proctype cache()
{
	mtype what;
	bool waits = false;

end:	do
	:: atomic { copy[_pid] != invalid -> assert(word[_pid] == latest) }
	:: atomic {
		copy[_pid] == modified || copy[_pid] == exclusive ->
		copy[_pid] = modified;
		word[_pid] = 1 - word[_pid];
		latest = word[_pid]
	}
	:: atomic {
		copy[_pid] != invalid && !waits ->
		if
		:: copy[_pid] == modified -> memory = word[_pid]
		:: else
		fi;
		copy[_pid] = invalid;
		word[_pid] = 0
	}
	:: atomic {
		copy[_pid] == invalid && !waits && nfull(bus) ->
		bus!read, _pid;
		waits = true
	}
	:: atomic {
		(copy[_pid] == invalid || copy[_pid] == shared) && !waits && nfull(bus) ->
		bus!write, _pid;
		waits = true
	}
	:: atomic {
		snoop[_pid]?what ->
#ifdef FORGET
		if
		:: waits && copy[_pid] == shared -> n_answers++
		:: else -> give_way(what)
		fi;
#else
		give_way(what);
#endif
		what = 0
	}
	:: atomic { granted[_pid]?copy[_pid] -> word[_pid] = memory; waits = false }
	od
}

proctype arbiter()
{
	mtype what;
	pid who, i;

end:	do
	:: atomic {
		bus?what, who;
		n_answers = 0;
		others_share = false;
		for (i : 1 .. N) {
			if
			:: i != who -> snoop[i]!what
			:: else
			fi
		};
		i = 0
	};
	atomic {
		n_answers == N - 1 ->
		if
		:: what == write -> granted[who]!modified
#ifdef MESI
		:: what == read && !others_share -> granted[who]!exclusive
		:: what == read && others_share -> granted[who]!shared
#else
		:: what == read -> granted[who]!shared
#endif
		fi;
		n_answers = 0;
		others_share = false
	};
	/* The next request waits until this one has its copy. */
	atomic { empty(granted[who]) -> what = 0; who = 0 }
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run cache()
		}
		run arbiter()
	}
}
