/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 180 states 669 transitions; default 180 states 669 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan cs[2] = [1] of { byte };
chan r = [0] of { byte };
active [2] proctype P0() { byte i, j;
do
:: else -> x = 1
:: (a[x] == 0 && a[0] <= 2) -> { y != 0 } unless ((b - (a[_pid] >> 1)))
od;
if
:: b = 3;
do
:: else
:: c?_;
atomic { if
:: a[_pid] = 2;
x++
:: else -> y = x
:: a[0] >= 3 -> r?y
fi };
do
:: x++;
x--;
do
:: d?2(y)
:: x--;
c!2
:: c!x;
r!1
od
:: x = 1;
assert(b < 9)
od
:: a[x] > 1 -> do
:: { { assert(b < 9) } unless atomic { x = 1;
x = 1 } };
r!x;
if
:: if
:: else -> x = ((a[_pid] * x) ^ (b ^ 0));
assert(y < 9)
fi
fi
:: i--;
d!2,y;
do
:: if
:: else -> y = (3 > 0);
((a[1] == (0 != b)))
fi
od
od;
y++ unless c?x
od
:: assert(i >= 0);
if
:: i >= 0 -> a[1] = _pid;
{ c?1;
atomic { y++;
assert(b < 9);
x = 1;
r!1 } }
:: else
:: a[1] >= 1;
(y >= 2 && a[_pid] < 2)
fi;
skip
:: else -> a[1] != 2;
{ a[_pid]++ } unless { { a[0] = 1 };
if
:: (x <= 0 && _pid >= 0) -> atomic { x = 2 };
y++
:: atomic { skip;
x = 1;
i = a[_pid] } unless y = 1 - y;
b++;
{ y = 1 - y;
skip }
:: x = 1
fi;
do
:: else -> cs[y % 2]?_;
true
:: b != 3;
{ b == 2 };
a[_pid] = ((len(c) >= a[_pid]) != (_pid - len(d)))
:: (((i -> 3 : 1) % 3)) -> do
:: b == 0 || i != 1 -> a[x] >= 2
od;
{ atomic { d!3,y;
a[0] = 3 } unless { i++;
i-- } }
od }
fi
}
active [2] proctype P1() { byte i, j;
do
:: if
:: false -> if
:: else
:: (~((0 -> 0 : 0))) -> { c!x }
:: a[0] >= 0 -> do
:: c!x;
y++
:: d!0,y;
b = !b
:: if
:: else -> y++
fi
od
fi
:: _pid >= 0 -> y++ unless { c?1 }
fi;
{ x = 1 }
od
}
