/*
 * Two trains on two circles of four gates that share the track behind gates 2 and 6. A controller
 * raises the gate that a train approaches and lowers the one it leaves; a shared gate goes up only
 * when nobody is on the shared track and the other is down.
 * After A. F. Donaldson (2007), chapter 9.
 * -D SLOW lets a bar move some time after the gate was told; then a train may come round once more
 * under the bar that should be down, and all stop. -D RASH lets shared gates go up without asking.
 *
 * symmetry: order 2, the exchange of the circles: gates 2..5 with 6..9, trains 10 and 11
 *
 * expect: plain 3670 states 8306 transitions; default 3398 states 7650 transitions; safety holds
 * expect: -D RASH plain 5050 states 11646 transitions 250 errors; default 4710 states 10806 transitions 242 errors; safety violated (assertion)
 * bench: -D SLOW plain 2079298 states 12817828 transitions 9750 errors; default 1947906 states 11980836 transitions 9750 errors; safety violated (assertion, invalid end state)
 */

mtype = { approaches, leaves, raise, lower, up, down };
chan control = [0] of { mtype, pid };
chan gate_link2 = [0] of { mtype };
chan gate_link3 = [0] of { mtype };
chan gate_link4 = [0] of { mtype };
chan gate_link5 = [0] of { mtype };
chan gate_link6 = [0] of { mtype };
chan gate_link7 = [0] of { mtype };
chan gate_link8 = [0] of { mtype };
chan gate_link9 = [0] of { mtype };

mtype bar[12] = down;
bool on_shared[12];
bool shared_open;

#ifdef SLOW
#define MOVED
#else
#define MOVED atomic
#endif

#define TELL(i, what) :: g == i -> gate_link ## i!what
#define MOVE(from, to) :: at == from -> at = to

proctype controller()
{
	pid g;

end:	do
	:: control?approaches, g ->
		if
		TELL(2, raise) TELL(3, raise) TELL(4, raise) TELL(5, raise)
		TELL(6, raise) TELL(7, raise) TELL(8, raise) TELL(9, raise)
		fi;
		g = 0
	:: control?leaves, g ->
		if
		TELL(2, lower) TELL(3, lower) TELL(4, lower) TELL(5, lower)
		TELL(6, lower) TELL(7, lower) TELL(8, lower) TELL(9, lower)
		fi;
		g = 0
	od
}

proctype gate(chan link)
{
end:	do
	:: MOVED { link?raise -> bar[_pid] = up }
	:: MOVED { link?lower -> bar[_pid] = down }
	od
}

proctype shared_gate(chan link)
{
end:	do
	:: link?raise ->
#ifdef RASH
		atomic { shared_open = true; bar[_pid] = up }
#else
		atomic {
			!on_shared[10] && !on_shared[11] && !shared_open ->
			shared_open = true;
			bar[_pid] = up
		}
#endif
	:: MOVED {
		link?lower ->
		assert(shared_open);
		shared_open = false;
		bar[_pid] = down
	}
	od
}

proctype train(pid at)
{
	bool far = false;

	control!approaches, at;
	do
	:: atomic {
		far ->
		if
		MOVE(2, 3) MOVE(3, 4) MOVE(4, 5)
		MOVE(6, 7) MOVE(7, 8) MOVE(8, 9)
		:: at == 5 -> assert(_pid == 10); at = 2
		:: at == 9 -> assert(_pid == 11); at = 6
		fi;
		control!approaches, at;
		far = false
	}
	:: atomic {
		bar[at] == up && !far ->
		if
		:: at == 2 || at == 6 ->
			on_shared[_pid] = true;
			assert(!(on_shared[10] && on_shared[11]))
		:: else
		fi;
		far = true;
		control!leaves, at;
		if
		:: at == 3 || at == 7 -> on_shared[_pid] = false
		:: else
		fi
	}
	od
}

init {
	atomic {
		run controller();
		run shared_gate(gate_link2);
		run gate(gate_link3);
		run gate(gate_link4);
		run gate(gate_link5);
		run shared_gate(gate_link6);
		run gate(gate_link7);
		run gate(gate_link8);
		run gate(gate_link9);
		run train(4);
		run train(8)
	}
}
