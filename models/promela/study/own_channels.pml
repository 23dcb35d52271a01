/*
 * Each client makes a channel of its own and sends it to the server, which answers there.
 * TopSPIN knows channels only by global names.
 *
 * symmetry: S_3 on the clients with their channels
 *
 * expect: plain 521 states 1400 transitions; default 302 states 767 transitions; safety holds
 */

#define N 3

chan requests = [N] of { chan };

proctype client()
{
	chan mine = [1] of { bit };
	bit answer;

	do
	:: requests!mine;
		mine?answer;
		assert(answer == 1);
		answer = 0
	od
}

proctype server()
{
	chan who;

	do
	:: requests?who;
		who!1
	od
}

init {
	atomic {
		run client();
		run client();
		run client();
		run server()
	}
}
