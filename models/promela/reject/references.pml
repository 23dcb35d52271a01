/* What references, public variables and the names around them refuse. */
mtype = { ping };
byte ordinary[4];
int global_number;
chan typed = [2] of { ref client };
chan pair = [2] of { mtype, ref client };
chan late;
ref nobody ghost;
ref helper passive;
public byte exposed;
ref client owner = 1;
ref client list[2] = { 0, 1 };
typedef box { ref client inside };

active [2] proctype client()
{
	public byte x = _lid;
	public chan q = [1] of { mtype, ref server };
	ref client cli = _undef_ref;
	ref server ser;
	int n;
	box b;

	/* What the table of the paper does not allow in a client. */
start:	cli == n;
	cli = 1;
	cli < _lid;
	typed!3;
	typed!ser;
	ser == cli;
	/* More of the same. */
	cli = n;
	n = cli;
	n = _undef_ref;
	cli = ser;
	cli++;
	cli + 1 == 2;
	cli;
	!cli;
	cli == 0 || n;
	(n -> cli : _lid) == cli;
	assert(cli);
	b.inside = 2;
	_undef_ref == n;
	_lid = cli;
	ser = anyRef(client);
	cli == anyRef(client);
	d_step { cli = anyRef(client) };
	printf("%d", anyRef(client));
	assert(cli == anyRef(client));
	/* Messages. */
	pair!ping, 2;
	pair?ping, n;
	pair?ping, 1;
	typed?_lid;
	typed!!cli;
	late!cli;
	late?n;
	/* Arrays. */
	ordinary[cli] = 1;
	ordinary[_lid] = 1;
	client[1].x = 1;
	client[ser].x = 1;
	client[cli].y = 1;
	helper[cli].x = 1;
	/* Identity. */
	n = _pid;
	n = _last;
	n = enabled(2);
	set_priority(1, 2);
	/* Loops. */
	for (cli : 0 .. 1) { skip };
	select (cli : 0 .. 1);
	public byte afterwards;
	run client();
	run helper(2);
	run helper(_lid);
	run helper(ser)
}

active [2] proctype server(ref client first)
{
	int m;
	ref client who;

on:	m = client:cli;
	m = client[0]:n;
	m = client[0]@start;
	byte x = who
}

proctype helper(ref client whom)
{
	whom = _lid
}

init {
	public byte own;
	_lid == owner;
	owner = _undef_ref;
	run helper(owner)
}

ltl named { [] (client[0].x == 0) }

// error 8:5: there is no process type `nobody`
// error 9:5: no instances of `helper` run from the start
// error 10:13: `exposed` is no variable of a process, so it cannot be public
// error 11:20: this is not a reference to `client`
// error 12:22: a list of numbers is no list of references to `client`
// error 17:18: `_lid` is the number of an instance; there is none here
// error 25:15: this is not a reference to `client`
// error 26:8: this is not a reference to `client`
// error 27:2: a reference to `client` has no order and no arithmetic
// error 28:2: a reference to `client` meets a number here
// error 29:2: a reference to `client` meets a reference to `server` here
// error 30:9: this is a reference to `client`; a reference to `server` is needed
// error 32:8: this is not a reference to `client`
// error 33:6: a reference to `client` cannot be stored as something else
// error 34:6: the undefined reference cannot be stored as something else
// error 35:8: this is a reference to `server`; a reference to `client` is needed
// error 36:2: a reference to `client` has no order and no arithmetic
// error 37:2: a reference to `client` has no order and no arithmetic
// error 38:2: a reference to `client` is no number and no truth value
// error 39:3: a reference to `client` is no number and no truth value
// error 40:9: this is not a reference to `client`
// error 41:8: a reference to `client` is no number and no truth value
// error 41:14: a reference to `client` is no number and no truth value
// error 42:9: a reference to `client` is no number and no truth value
// error 43:13: this is not a reference to `client`
// error 44:2: the undefined reference is compared with what is no reference
// error 45:2: `_lid` cannot be assigned to
// error 46:8: this is a reference to `client`; a reference to `server` is needed
// error 47:9: `anyRef` cannot stand here
// error 48:17: `anyRef` cannot stand in a `d_step`
// error 49:15: `anyRef` cannot stand here
// error 50:16: `anyRef` cannot stand here
// error 52:2: a reference to `client` meets a number here
// error 53:2: a reference to `client` meets a number here
// error 54:2: a reference to `client` meets a number here
// error 55:8: `_lid` cannot be received into
// error 56:9: `!!` puts messages in order, and members have none
// error 58:2: a reference to `client` meets a number here
// error 60:11: `ordinary` is indexed by numbers, not by a reference to `client`
// error 61:11: `ordinary` is indexed by numbers, not by a reference to `client`
// error 62:9: `client` is indexed by a reference to `client`, and by nothing else
// error 63:9: `client` is indexed by a reference to `client`, and by nothing else
// error 64:14: `client` has no field `y`
// error 67:6: `_pid` tells instances apart that are referred to
// error 68:6: `_last` tells instances apart that are referred to
// error 69:6: a question about a process by its number tells instances apart that are referred to
// error 70:2: the priority of a process by its number tells instances apart that are referred to
// error 72:7: references cannot be counted through
// error 73:10: references and members are not selected by number
// error 74:2: a public variable is declared before the first statement of its process
// error 75:2: instances of `client` are referred to, so no more can be made
// error 76:2: a reference to `client` meets a number here
// error 78:2: a reference to `client` meets a reference to `server` here
// error 81:39: nothing says what the parameter `first` of a process that runs from the start is
// error 86:9: a question about one instance by its number tells instances apart that are referred to
// error 86:16: `cli` holds references or members, which cannot be read from outside
// error 87:6: a question about one instance by its number tells instances apart that are referred to
// error 88:6: a question about one instance by its number tells instances apart that are referred to
// error 89:11: a reference to `client` cannot be stored as something else
// error 98:2: only a process type has public variables
// error 99:2: `_lid` is the number of an instance; there is none here
// error 104:27: `client` has no field `x`
// warning 69:6: `enabled` is meant for never claims
// warning 81:21: `server` runs from the start, so its parameters are 0
