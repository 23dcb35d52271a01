/* What scalarsets refuse. */
#define N 3
scalarset P[N];
scalarset Q[2];
scalarset none[0];
scalarset many[300];
scalarset P[2];
byte plain[N];
byte st[P] = 4;
byte uneven[P] = { 1, 2, 3 };
P turn[N];
P p0 = 0;
Q q;
byte k, total;
bool ok, seen;
chan c = [1] of { P };
typedef row { byte cell[P] };
chan rows = [1] of { row };

proctype user(P me; Q other)
{
	P j, last;
	byte i;

	me = 1;
	me = i;
	me = other;
	i = me;
	me == other;
	me == 2;
	me < j;
	me + 1 == N;
	j++;
	st[0] = 1;
	st[i] = 1;
	st[other] = 1;
	plain[me] = 1;
	turn[me] = me;
	turn[1] = 0;
	c!1;
	c!other;
	c?i;
	(me != N -> me : j) == me;
	if :: me :: else fi;
	select (j : 0 .. 2);
	byte inner[P];
	/* Loops: where, how far, and what is in them. */
	for (j in P) { skip };
	atomic {
		for (j : 0 .. 1) { skip };
		for (i in P) { skip };
		for (j in Q) { skip };
		for (i in st) { skip };
		for (j in plain) { skip };
		for (j in P) { last = j };
		for (j in P) { k = st[j] };
		for (j in P) { ok = ok && st[j] > 0; seen = seen || ok };
		for (j in P) { st[me] = st[j] };
		for (j in P) { st[j] = total; total++ };
		for (j in P) { total++; total = total * 2 };
		for (j in P) { if :: st[j] == 0 -> total = 1 :: else -> total = 2 fi };
		for (j in P) { st[j] == 0 };
		for (j in P) { if :: st[j] == 0 -> k = 1 fi };
		for (j in P) { c!j };
		for (j in P) { if :: st[j] == 0 -> break :: else fi };
		for (j in P) { j = N };
		for (j in P) { i = st[j]; st[j] = i + 1 };
		for (j in P) { run user(j, other); k = k + _nr_pr };
		j = 0;
		do
		:: j < 2 -> skip; j++
		:: else -> break
		od
	}
}

/* Readers and writers told apart by the order of their numbers. */
proctype reader(P me)
{
	me < 2 && st[me] == 1 -> st[me] = 2
}

active proctype early(P me) { skip }

init { run user(0, 0); run user(N, 2); rows!st[0]; k = P }

// error 5:16: a scalarset has 1 to 255 members, not 0
// error 6:16: a scalarset has 1 to 255 members, not 300
// error 7:11: `P` is declared already
// error 10:6: an array that is indexed by members of `P` starts alike in all elements
// error 12:8: this is not a member of `P`
// error 18:22: the field `cell` is indexed by a scalarset
// error 25:7: this is not a member of `P`
// error 26:7: this is not a member of `P`
// error 27:7: this is a member of `Q`; a member of `P` is needed
// error 28:6: a member of `P` cannot be stored as something else
// error 29:8: this is a member of `Q`; a member of `P` is needed
// error 30:8: this is not a member of `P`
// error 31:2: a member of `P` has no order and no arithmetic
// error 32:2: a member of `P` has no order and no arithmetic
// error 33:2: a member of `P` has no order and no arithmetic
// error 34:5: `st` is indexed by a member of `P`, and by nothing else
// error 35:5: `st` is indexed by a member of `P`, and by nothing else
// error 36:5: `st` is indexed by a member of `P`, and by nothing else
// error 37:8: `plain` is indexed by numbers, not by a member of `P`
// error 38:7: `turn` is indexed by numbers, not by a member of `P`
// error 39:12: this is not a member of `P`
// error 40:2: a member of `P` meets a number here
// error 41:2: a member of `P` meets a member of `Q` here
// error 42:2: a member of `P` meets a number here
// error 43:14: a member of `P` is no number and no truth value
// error 43:19: a member of `P` is no number and no truth value
// error 44:8: a member of `P` is no number and no truth value
// error 45:10: references and members are not selected by number
// error 46:7: `inner` is indexed by members, and declared after a statement
// error 48:2: a loop over a scalarset stands in `atomic` or `d_step` only
// error 50:3: a loop over `P` goes through all of it, 0 .. 2
// error 51:8: this does not hold a member of `P`
// error 52:8: this does not hold a member of `Q`
// error 53:8: this does not hold a member of `P`
// error 54:13: this needs an array and a number, or a channel and a record
// error 55:18: this depends on the order in which members come
// error 56:18: this depends on the order in which members come
// error 57:18: this depends on the order in which members come
// error 58:18: this depends on the order in which members come
// error 59:33: this depends on the order in which members come
// error 60:18: this depends on the order in which members come
// error 61:38: this depends on the order in which members come
// error 62:18: a loop over a scalarset must not wait
// error 63:18: a loop over a scalarset must not wait
// error 64:18: a loop over a scalarset must not wait
// error 65:38: a loop over a scalarset goes through all members
// error 66:18: this depends on the order in which members come
// error 67:18: this depends on the order in which members come
// error 68:27: this depends on the order in which members come
// error 69:7: this is not a member of `P`
// error 71:6: a member of `P` has no order and no arithmetic
// error 71:21: a member of `P` has no order and no arithmetic
// error 80:2: a member of `P` has no order and no arithmetic
// error 83:25: nothing says what the parameter `me` of a process that runs from the start is
// error 85:8: a member of `P` meets a number here
// error 85:8: a member of `Q` meets a number here
// error 85:48: `st` is indexed by a member of `P`, and by nothing else
// error 85:56: `P` is a type, not a variable
// warning 83:17: `early` runs from the start, so its parameters are 0
