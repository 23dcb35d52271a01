/*
 * Three layers: a client that wants something takes a free server, the server takes a free
 * database, looks something up there and answers. References lead from each layer to the next one
 * only, and no two lead to the same instance.
 * After the layered models of F. Derepas and P. Gastin (2001), section 4.3; their text of the
 * client/server/database model is not known. -D LEAK lets a server forget to give its database
 * free, so that in the end nobody can go on.
 *
 * symmetry: S_C on the clients, S_S on the servers, S_D on the databases
 * twin: tiers_twin.pml
 *
 * expect: -D C=2 -D S=2 -D D=1 plain 29 states 69 transitions; default 29 states 69 transitions; safety holds
 * expect: -D C=2 -D S=2 -D D=2 plain 45 states 153 transitions; default 45 states 153 transitions; safety holds
 * expect: -D C=3 -D S=2 -D D=2 plain 109 states 577 transitions; default 109 states 577 transitions; safety holds
 * expect: -D C=2 -D S=2 -D D=2 -D LEAK plain 98 states 285 transitions 2 errors; default 98 states 285 transitions 2 errors; safety violated (invalid end state)
 */

#ifndef C
#define C 2
#endif
#ifndef S
#define S 2
#endif
#ifndef D
#define D 2
#endif

mtype = { idle, asked, answered };

active [C] proctype client()
{
	ref server mine;

	do
	:: atomic {
		mine == _undef_ref ->
		mine = anyRef(server);
		if
		:: server[mine].job == idle -> server[mine].job = asked
		:: else -> mine = _undef_ref
		fi
	}
	:: atomic {
		mine != _undef_ref && server[mine].job == answered ->
		server[mine].job = idle;
		mine = _undef_ref
	}
	od
}

active [S] proctype server()
{
	ref database mine;
	public mtype job = idle;

end:	do
	:: atomic {
		job == asked && mine == _undef_ref && !database[anyRef(database)].used ->
		mine = anyRef(database);
		if
		:: !database[mine].used -> database[mine].used = true
		:: else -> mine = _undef_ref
		fi
	}
	:: atomic {
		mine != _undef_ref ->
#ifndef LEAK
		database[mine].used = false;
#endif
		mine = _undef_ref;
		job = answered
	}
	od
}

active [D] proctype database()
{
	public bool used;

end:	false
}
