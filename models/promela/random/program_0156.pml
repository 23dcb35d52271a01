/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 94 states 205 transitions; default 94 states 205 transitions; safety holds
 */

mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
short s = 3;
int n = 1;
bit k;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
inline f(z) {
skip;
i = 0;
do
:: i < 2 -> i++;
x = 1;
q = m
:: else -> break
od
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: atomic { else -> y = 0 }
fi;
assert(b < 9);
a[0]--;
put(y, 0)
}
active [2] proctype P0() { byte i, j;
y = 1 - y
}
active [2] proctype P1() { byte i, j;
y++;
x++
}
