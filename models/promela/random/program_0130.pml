/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 219 states 561 transitions 8 errors; default 219 states 561 transitions 8 errors; safety violated (invalid end state)
 */

#define SET(v, e) v = e
#define LESS(p, q) ((p) < (q))
#define BOTH(p, q) (p != 0 && q != 0)
#define LIMIT 2
mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
active [2] proctype P0() { byte i, j;
a[_pid]++;
b = !b
}
active proctype P1() { byte i, j;
x--;
do
:: atomic { else -> y = 1 - y;
skip;
d_step { y = 3;
b = !b;
x++ } }
:: d_step { a[0] = 2 };
y == 0;
skip
od;
do
:: { if
:: m == red -> { a[_pid] = (0 <= 1);
skip }
:: else -> y = 1 - y unless d_step { y = ((_pid << 2) -> (2 / 1) : (a[1] ^ a[_pid]));
y++ }
fi };
if
:: (1) -> a[1] == 3
:: atomic { x <= 0 -> skip;
d_step { a[0] != 2;
i = (2 <= _nr_pr) };
y++ };
assert(x < 9)
:: else -> x++
fi;
{ atomic { a[0] = 0;
y <= 1 || a[_pid] != 2;
atomic { y++;
x--;
if
:: atomic { m != green -> m = q;
y > 0 || a[1] <= 2 };
a[_pid] = 0
:: y >= 0 -> break;
break
:: a[_pid] = ((a[0] & 1) / 3);
y++
fi;
i = 0;
do
:: i < 2 -> i++;
b = (a[_pid] > y)
:: else -> break
od } } unless a[1] = (a[1] + 1) % 3 }
od
}
