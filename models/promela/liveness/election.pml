/*
 * A ring of N processes elects the one with the largest number: each sends its own and passes on
 * those that are larger. Every run comes to its end, so that fairness makes no difference.
 *
 * symmetry: none that keeps the numbers
 *
 * expect: plain 64 states 122 transitions; default 64 states 122 transitions; safety holds
 *
 * live: elected none holds, weak holds, strong holds
 * live: never_two none holds, weak holds, strong holds
 */
#define N 3
chan to[N] = [N] of { byte };
byte leader, n_leaders;

proctype node(byte me; byte number)
{
	byte seen;

	to[(me + 1) % N]!number;
end:	do
	:: to[me]?seen ->
		if
		:: seen > number -> to[(me + 1) % N]!seen
		:: seen == number -> leader = number; n_leaders++; break
		:: else
		fi
	od
}

init
{
	atomic { run node(0, 2); run node(1, 3); run node(2, 1) }
}

ltl elected { <> [] (leader == 3) }
ltl never_two { [] (n_leaders < 2) }
