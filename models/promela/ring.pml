/* A ring of stations that pass the largest identity on: channels in arrays, macros, init. */

#define N 4
#define LEFT(i) ((i + N - 1) % N)

mtype = { one, winner };
chan link[N] = [N] of { mtype, byte };
byte n_leaders;

proctype station(chan in, out; byte mine)
{
	byte seen;
	bool decided = false;

	xr in;
	xs out;
	out!one(mine);
end:
	do
	:: in?one(seen) ->
		if
		:: seen > mine -> out!one,seen
		:: seen == mine ->
			n_leaders++;
			out!winner,mine
		:: else
		fi
	:: in?winner,seen ->
		if
		:: seen != mine -> out!winner(seen)
		:: else
		fi;
		decided = true;
		break
	od
	assert(decided)
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run station(link[LEFT(i)], link[i], (i * 3) % N + 1)
		}
	}
	(_nr_pr == 1);
	assert(n_leaders == 1)
}

// expect: plain 749 states 1980 transitions; default 528 states 1347 transitions; safety holds
