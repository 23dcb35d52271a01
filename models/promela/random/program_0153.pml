/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 21 states 33 transitions 1 errors; default 21 states 33 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
active [2] proctype P0() { byte i, j;
{ d?2(y) };
do
:: len(c) == 1 -> y = (b -> 1 : x)
:: x = 0;
a[_pid] = ((3 * 1) -> 2 : (y > 1));
atomic { if
:: y == 0 -> i = 0;
do
:: i < 2 -> i++;
d!0(x);
assert(b < 9)
:: else -> break
od
:: else -> if
:: c!3;
x--
:: else;
y = _pid
fi;
if
:: !(_pid <= 0) -> y++
:: x <= 1;
assert(x < 9)
fi
fi;
{ i = 0;
do
:: i < 2 -> i++;
a[1] = (a[1] + 1) % 3
:: else -> break
od;
{ y = 1 - y } };
if
:: (((0 + i) -> (0 >= i) : ~(a[x]))) -> atomic { a[_pid] = y;
b = !b }
:: else -> x = 1;
a[_pid]--
fi;
break }
od
}
active [2] proctype P1() { byte i, j;
if
:: x = 1;
x = 1;
y = 2
:: atomic { a[1] >= 1 -> a[_pid] = a[1];
atomic { skip;
if
:: a[x] > 1;
a[_pid] = 2
fi } };
a[1] = (a[1] + 1) % 3;
if
:: i == 0;
b = !b;
printf("%d %d\n", _pid, y)
:: if
:: else -> y = 1 - y
fi;
if
:: atomic { a[x] > 1 -> { y > 0 };
i = 0;
do
:: i < 2 -> i++;
x++;
x--
:: else -> break
od };
{ x++;
a[1] = 2;
y++ };
x++
:: atomic { y > 0 -> (len(c));
if
:: a[0] < 3;
y = 1 - y;
c?1
:: a[0] == 0 -> x++
fi };
assert(y < 9)
:: a[_pid] = ((0 % 3) % 3);
c?1
fi
fi
fi
}
