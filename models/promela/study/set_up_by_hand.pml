/*
 * Three stations are told to be idle one by one, by assignments after the runs.
 * The order of the assignments is an accident: inside `atomic` nobody sees it.
 *
 * symmetry: S_3 on the stations
 *
 * expect: plain 8 states 20 transitions; default 8 states 20 transitions; safety holds
 */

mtype = { idle, busy };
mtype phase[4];
byte n_busy;

proctype station()
{
	do
	:: atomic { phase[_pid] == idle && n_busy < 2 -> phase[_pid] = busy; n_busy++ }
	:: atomic { phase[_pid] == busy -> phase[_pid] = idle; n_busy--; assert(n_busy < 2) }
	od
}

init {
	atomic {
		run station();
		run station();
		run station();
		phase[1] = idle;
		phase[2] = idle;
		phase[3] = idle
	}
}
