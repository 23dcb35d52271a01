/*
 * Two nodes pass numbers to each other over two channels.
 * After A. F. Donaldson (2007), chapter 6: the smallest system on which a symmetry must move
 * processes, channels, channel-valued locals and process-valued locals at once.
 *
 * symmetry: order 2, (1 2)(one_two two_one)
 *
 * expect: plain 44 states 64 transitions; default 44 states 64 transitions; safety holds
 */

chan one_two = [1] of { byte };
chan two_one = [1] of { byte };

proctype node(chan in, out)
{
	pid last;
	byte got;

	do
	:: atomic { nfull(out) && last != _pid -> out!got + 1; last = _pid }
	:: atomic { nempty(in) -> in?got; last = 3 - _pid; got = got % 4 }
	od
}

init {
	atomic {
		run node(two_one, one_two);
		run node(one_two, two_one)
	}
}
