/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 2564 states 3077 transitions 513 errors; default 2564 states 3077 transitions 513 errors; safety violated (assertion, invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
short s = 3;
int n = 1;
bit k;
chan cs[2] = [1] of { byte };
active [3] proctype P0() { byte i, j;
ts[1].w[0] < 0
}
active proctype P1() { byte i, j;
do
:: a[_pid] <= 3 -> if
:: a[0] = (_pid || 2);
do
:: a[_pid] <= 3 -> skip;
d_step { a[0] = 1;
b = !b }
:: (a[_pid]) -> a[_pid] = ((t.w[1] -> n : s) == (i >= _pid));
x++
:: ts[y % 2].w[0] = t.w[y % 2];
accept1: assert(a[_pid] == 2);
{ t.w[1]-- }
od
fi;
t.u++
:: d_step { b <= 0;
select (i : 0 .. 2) };
skip;
d_step { ts[x % 2].w[1] > 3;
assert(t.w[1] < 2) }
:: else;
do
:: d_step { ts[y % 2].w[0]++;
x = 1 };
y = 1 - y;
L2: skip;
d_step { t.w[x % 2] = 3;
x++ }
od;
L3: break
od;
do
:: { else -> skip;
d_step { ts[x % 2].w[1] != 3;
skip } }
od;
skip;
d_step { a[_pid] = (1 -> 2 : i);
a[1] = (a[1] + 1) % 3 };
L4: skip;
d_step { t.w[x % 2] = 1 }
}
