/* Records: nested, in arrays, sent whole, passed to a process, read from a channel by `for`. */

typedef Point { short x, y };
typedef Job {
	byte id
	Point at
	bit flags[2]
	byte urgency
};

chan jobs = [3] of { Job };
chan done = [0] of { byte, Point };
Job waiting[2];

proctype worker(Point home)
{
	Job mine;
	Point where;

	do
	:: jobs?mine ->
		where.x = mine.at.x + home.x;
		where.y = (mine.flags[0] -> mine.at.y : home.y);
		done!mine.id, where
	:: timeout -> break
	od
}

init {
	Point home, seen;
	Job j;
	byte id;

	home.x = 2;
	waiting[0].id = 1;
	waiting[0].at.x = -3;
	waiting[1].flags[0] = 1;
	waiting[1].urgency = waiting[0].urgency + 1;
	run worker(home);
	jobs!waiting[0];
	jobs!waiting[1];
	for (j in jobs) {
		printf("job %d at %d,%d\n", j.id, j.at.x, j.at.y)
	}
	done?id, seen;
	assert(seen.x == -1)
}

// expect: plain 128 states 192 transitions 12 errors; default 85 states 118 transitions 10 errors; safety violated (assertion, invalid end state)
