/*
 * `tiers.pml` in ordinary Promela, for one or two servers and databases.
 *
 * symmetry: S_C on the clients, S_S on the servers, S_D on the databases
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
#define NONE 255
#define SERVER (_pid - C)

mtype = { idle, asked, answered };

mtype job[S] = idle;
bool used[D];

active [C] proctype client()
{
	byte mine = NONE;

	do
	:: atomic {
		mine == NONE ->
		if
		:: mine = 0
#if S > 1
		:: mine = 1
#endif
		fi;
		if
		:: job[mine] == idle -> job[mine] = asked
		:: else -> mine = NONE
		fi
	}
	:: atomic {
		mine != NONE && job[mine] == answered ->
		job[mine] = idle;
		mine = NONE
	}
	od
}

active [S] proctype server()
{
	byte mine = NONE;

end:	do
	:: atomic {
		if
		:: job[SERVER] == asked && mine == NONE && !used[0]
#if D > 1
		:: job[SERVER] == asked && mine == NONE && !used[1]
#endif
		fi ->
		if
		:: mine = 0
#if D > 1
		:: mine = 1
#endif
		fi;
		if
		:: !used[mine] -> used[mine] = true
		:: else -> mine = NONE
		fi
	}
	:: atomic {
		mine != NONE ->
#ifndef LEAK
		used[mine] = false;
#endif
		mine = NONE;
		job[SERVER] = answered
	}
	od
}

active [D] proctype database()
{
end:	false
}
