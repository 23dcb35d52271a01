/* Every statement and operator of the language that the other models do not use. */

#ifndef SIZE
#define SIZE 2
#endif
#if SIZE > 8 || !defined(SIZE)
#error SIZE is too large
#endif

mtype:fruit = { apple, pear };
mtype { red green, blue };

mtype:fruit snack = pear;
mtype colour = red;
hidden byte scratch;
show int shown = 3;
local short near = -2;
unsigned few : 3 = 5, more : 5;
byte table[SIZE + 1] = { 1, 2, 3 };
chan mixed = [4] of { mtype, byte, pid };
chan any = [2] of { chan };

inline swap(a, b)
{
	int hold;
	hold = a;
	a = b;
	b = hold
}

inline larger(a, b)
{
	if
	:: a > b -> return a
	:: else -> return b
	fi
}

D_proctype steady(byte n) priority 2
{
	d_step {
		do
		:: n > 0 -> n--
		:: else -> break
		od
	}
}

active [SIZE] proctype talker() provided (shown > 0)
{
	byte k;
	pid who;

	select (k : 1 .. 3);
	mixed!!red(k, _pid);
	mixed!green, 'x', _pid;
	if
	:: mixed??[green, eval(k), _] -> mixed??green, eval(k), who
	:: mixed?<red, k, who>
	:: mixed??<blue, _, _>
	:: nempty(mixed) && nfull(mixed) && len(mixed) < 4 -> mixed?_, k, who
	fi;
	atomic {
		scratch = k;
		swap(shown, near)
	}
	near = larger(near, 3);
progress:
	skip;
	scratch = 1 unless { full(mixed) || empty(mixed) };
	printf("%d %c %e\n", near & 7 | 1 ^ ~2, '\n', colour);
	printm(colour);
	set_priority(_pid, 3);
	assert(get_priority(_pid) == 3 && (shown << 1) >= shown >> 1)
}

init {
	byte i;
	chan c;

	run steady(2) priority 3;
	for (i in table) {
		table[i] = table[i] * 2 / 1 % 255
	}
	any!mixed; any?c;
	c!red, 1, _pid;
	goto last;
	skip
last:
	if
	:: snack == apple
	:: snack != apple -> snack = apple
	:: timeout
	fi
}

never watch {
	do
	:: !np_ && talker[0]:k != 7
	od
}

// expect: plain 26124 states 51919 transitions 939 errors; default 26124 states 51919 transitions 939 errors; safety violated (invalid end state)
