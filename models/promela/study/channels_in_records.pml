/*
 * Links are records with a channel each way, which start with channels.
 * TopSPIN does not take channels in records.
 *
 * symmetry: S_3 on the workers with their links
 *
 * expect: plain 273 states 896 transitions; default 273 states 896 transitions; safety holds
 */

#define N 3

typedef link {
	chan job = [1] of { byte };
	chan done = [1] of { byte }
};

link to[N];
byte n_out;

proctype worker(byte me)
{
	byte x;

	do
	:: to[me].job?x;
		to[me].done!x;
		x = 0
	od
}

active proctype master()
{
	do
	:: atomic { n_out < 2 && nfull(to[0].job) -> to[0].job!7; n_out++ }
	:: atomic { n_out < 2 && nfull(to[1].job) -> to[1].job!7; n_out++ }
	:: atomic { n_out < 2 && nfull(to[2].job) -> to[2].job!7; n_out++ }
	:: atomic { to[0].done?7 -> n_out-- }
	:: atomic { to[1].done?7 -> n_out-- }
	:: atomic { to[2].done?7 -> n_out-- }
	od
}

init {
	atomic {
		run worker(0);
		run worker(1);
		run worker(2)
	}
}
