/*
 * Polls of a rendezvous channel are errors, and see nothing; questions about its length are none.
 * A poll that a condition does not come to is none either.
 *
 * expect: plain 15 states 15 transitions 10 errors; default 15 states 15 transitions 10 errors; safety violated (error to poll rendezvous channel)
 */

chan c = [0] of { byte };
chan d = [1] of { byte };
byte x;

active proctype p()
{
	do
	:: c?[1] -> x = 9
	:: x == 0 -> x = 1
	:: x == 1 && len(c) == 0 && empty(c) && nfull(c) -> x = 2
	:: x == 2 && !c??[1] -> x = 3
	:: x == 3 && (x < 4 || c?[1]) -> x = 4
	:: x == 4 -> break
	od;
	atomic { x = c?[x]; x = x + 5; d!x };
	d_step { if :: c?[5] -> x = 9 :: d?[5] -> x = 6 fi };
	if
	:: c?[7] -> x = 9
	:: else -> x = 7
	fi
}
