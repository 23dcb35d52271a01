/*
 * R readers and W writers: readers may be in together, a writer only alone; nobody starts to read
 * while a writer waits.
 *
 * symmetry: S_R on the readers, S_W on the writers; exchanging a reader with a writer changes only
 * which steps are possible in the critical section
 *
 * expect: -D R=1 -D W=1 plain 9 states 13 transitions; default 9 states 13 transitions; safety holds
 * expect: -D R=3 -D W=2 plain 117 states 369 transitions; default 117 states 369 transitions; safety holds
 * expect: -D R=6 -D W=4 plain 11729 states 71636 transitions; default 11729 states 71636 transitions; safety holds
 * bench: -D R=9 -D W=6 plain 1260097 states 11397995 transitions; default 1260097 states 11397995 transitions; safety holds
 */

#ifndef R
#define R 3
#define W 2
#endif

byte n_reading, n_writing, n_waiting;

proctype reader()
{
	do
	:: atomic { n_writing + n_waiting == 0 -> n_reading++ };
		assert(n_writing == 0);
		n_reading--
	od
}

proctype writer()
{
	do
	:: n_waiting++;
		atomic { n_reading + n_writing == 0 -> n_writing++; n_waiting-- };
		assert(n_writing == 1 && n_reading == 0);
		n_writing--
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. R) {
			run reader()
		}
		for (i : 1 .. W) {
			run writer()
		}
	}
}
