/*
 * A token goes round a ring of N stations; who has it may work, and passes it on. A station may be
 * busy with something else for ever, so that only fair runs bring the token to everybody.
 *
 * symmetry: C_N on the stations
 *
 * expect: plain 73 states 230 transitions; default 73 states 230 transitions; safety holds
 *
 * live: visited none violated, weak holds, strong holds
 * live: works none violated, weak violated, strong violated
 */
#ifndef N
#define N 3
#endif

bool token[N], works[N];
byte busy;

proctype station(byte me; byte next)
{
	do
	:: token[me] -> works[me] = true; works[me] = false; d_step { token[me] = false; token[next] = true }
	:: token[me] -> d_step { token[me] = false; token[next] = true }
	:: !token[me] -> busy = 0
	od
}

init
{
	atomic {
		token[0] = true;
		run station(0, 1);
		run station(1, 2);
		run station(2, 0)
	}
}

ltl visited { [] <> token[1] }
ltl works { [] <> works[1] }
