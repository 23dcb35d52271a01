/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 20 states 37 transitions; default 20 states 37 transitions; safety holds
 */

mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
chan r = [0] of { byte };
active proctype P0() { byte i, j;
do
:: { { else -> y = ((0 -> _nr_pr : 2) >= a[1]) } unless { x++ } }
:: b != 3 -> r?1;
{ do
:: else;
do
:: else -> x = 0
:: ((2 -> (a[0] % 3) : a[0])) -> a[1] = (a[1] + 1) % 3
od
od;
{ x = 1 } }
od;
{ skip;
d_step { a[x] <= 1 };
L1: y++;
end2: skip;
d_step { _pid < 2;
a[1] = (a[1] + 1) % 3 } } unless a[1] = (a[1] + 1) % 3;
L3: b = !b
}
active proctype P1() { byte i, j;
q = m;
a[0] = 0;
y = 1 - y
}
