/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 94 states 214 transitions 1 errors; default 94 states 214 transitions 1 errors; safety violated (invalid end state)
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
chan e = [2] of { byte };
inline f(z) {
skip
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else -> y = 2
fi;
{ { x--;
a[_pid] = 2;
a[1] = (a[1] + 1) % 3 } unless { a[_pid] = 0 } };
y = 1 - y;
put(y, 0)
}
active [3] proctype P0() { byte i, j;
y = 1 - y;
m = red unless { put(y, x) }
}
active proctype P1() { byte i, j;
xr e;
e?x;
b = (a[_pid] -> 0 : (a[0] -> 3 : 0));
s++
}
