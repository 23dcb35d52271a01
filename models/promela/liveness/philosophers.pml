/*
 * N philosophers who take both forks at once. Someone eats again and again. Two neighbours can
 * starve the one between them by turns, without ever leaving both of his forks free: no fairness
 * helps. With three of them nobody else can eat while one does, and strong fairness helps.
 *
 * symmetry: D_N on the philosophers
 *
 * expect: plain 8 states 18 transitions; default 8 states 18 transitions; safety holds
 *
 * live: eats none violated, weak violated, strong violated
 * live: someone none holds, weak holds, strong holds
 */
#define N 4
bool fork[N], eating[N];

proctype phil(byte me; byte left; byte right)
{
	do
	:: atomic { !fork[left] && !fork[right] -> fork[left] = true; fork[right] = true; eating[me] = true };
	   atomic { eating[me] = false; fork[left] = false; fork[right] = false }
	od
}

init
{
	atomic {
		run phil(0, 0, 1);
		run phil(1, 1, 2);
		run phil(2, 2, 3);
		run phil(3, 3, 0)
	}
}

ltl eats { [] <> eating[1] }
ltl someone { [] <> (eating[0] || eating[1] || eating[2] || eating[3]) }
