/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 1209 states 3304 transitions; default 1209 states 3304 transitions; safety holds
 */

mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
chan cs[2] = [1] of { byte };
inline f(z) {
i = 0;
do
:: i < 2 -> i++;
y++
:: else -> break
od
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else
fi;
x = 1;
b = !b;
put(y, 0)
}
active [2] proctype P0() { byte i, j;
printf("%d\n", x);
1;
if
:: else;
cs[0]?y;
b == 3
:: i = (1 <= i);
{ x = 1;
L1: a[_pid] = i;
y = 1 - y };
L2: b = !b
:: i = ((x / 3) & (x && _pid));
y = 1 - y;
a[_pid] = (_pid | y)
fi
}
active proctype P1() { byte i, j;
skip;
L3: b = !b;
b = 3;
do
:: a[_pid] < 1 -> a[1] = (a[1] + 1) % 3
od;
a[1] = (a[1] + 1) % 3
}
