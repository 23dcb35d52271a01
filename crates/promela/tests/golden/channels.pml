/* Sends, receives, questions. */
mtype = { ack, nak }
mtype:colour = { red }
typedef Pair { byte a; short b };
chan c = [2] of { mtype, byte };
chan many[2] = [1] of { Pair };
chan rv = [0] of { chan, bit };
chan none;
proctype P(chan in) {
	byte x;
	Pair p;
	chan own = [3] of { int };
	mtype:colour k = red;
	c!ack(x);
	c!!nak, 3;
	c?ack, x;
	c?eval(ack), _;
	c??nak, x;
	c?<ack, x>;
	c??<_, eval(x + 1)>;
	c?[ack, x] && len(c) < 2;
	full(c); nfull(c) || empty(c); nempty(many[x]);
	many[x]!p;
	many[1]?p;
	rv!in, 1;
	own!x;
	printf("%e %d %x %o %c %u", ack, x, x, x, x, x);
	printm(k)
}
init { run P(c) }
