/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 1554 states 4625 transitions; default 1554 states 4625 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan cs[2] = [1] of { byte };
chan r = [0] of { byte };
chan e = [2] of { byte };
inline f(z) {
i = 0;
do
:: i < 2 -> i++;
x--;
x++
:: else -> break
od
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: atomic { else -> y = 0 }
fi;
i = 0;
do
:: i < 2 -> i++;
x = 1;
a[1] = (a[1] + 1) % 3
:: else -> break
od;
put(y, 0)
}
active [2] proctype P0() { byte i, j;
x = 0
}
init { byte i, j;
atomic { run Q(1); run Q(1) };
select (i : 0 .. 2);
a[_pid] = (y -> (0 || 0) : (b ^ i))
}
proctype Q(byte z) { byte i, j;
y = y;
if
:: y < 1 -> skip;
d_step { x = 1;
b = !b }
:: else -> do
:: else -> b = !b;
if
:: a[1] <= 0 -> select (i : x .. x + 1)
fi
:: assert(z != 2);
y = 0
:: i <= 3;
skip;
d_step { a[_pid] > 3;
x-- };
for (i : 0 .. 2) {
y++;
assert(x < 9)
}
od;
L1: select (i : 0 .. 2)
fi
}
