/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 1851 states 4690 transitions; default 1851 states 4690 transitions; safety holds
 */

mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
short s = 3;
int n = 1;
bit k;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
active [3] proctype P0() { byte i, j;
do
:: d_step { y <= 2 };
do
:: { c!x unless x-- };
y = a[0]
od
:: d_step { d!!x,2 };
atomic { skip;
d_step { c?x;
if
:: y <= 1 -> x = 1;
a[1] = 3
:: atomic { (!((1 || 3))) -> y++ };
a[1] = 3
fi;
end1: a[1] = ((a[_pid] -> 1 : b) == (k == a[x])) };
x = 1 }
od;
x = (~(k) & (y % 1));
d_step { i = 2 } unless { skip;
d_step { c!x;
q = m } }
}
