/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 100 states 297 transitions; default 100 states 297 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
chan e = [2] of { byte };
inline f(z) {
x = 1
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: atomic { else -> y = 0 }
fi;
b = !b;
put(y, 0)
}
active [2] proctype P0() provided (x != 3) { byte i, j;
a[1] = (a[1] + 1) % 3
}
active proctype P1() { byte i, j;
xr e;
e?x;
x = 1;
do
:: put(y, x);
printf("%d\n", x)
od;
L1: a[_pid] == 2
}
init { byte i, j;
atomic { run Q(1); run Q(1) };
do
:: a[_pid] <= 3;
a[1] = (a[1] + 1) % 3
:: { else -> break }
od;
ts[y % 2].w[0] = (3 == x)
}
proctype Q(byte z) { byte i, j;
skip;
d_step { ts[0].u >= 2;
if
:: _pid == 1 -> assert(b < 9)
fi };
b = 3
}
