/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 15 states 25 transitions; default 15 states 25 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
short s = 3;
int n = 1;
bit k;
chan cs[2] = [1] of { byte };
inline f(z) {
for (i : 0 .. 2) {
x--;
b = !b
};
a[x] == 1
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else -> y = 2
fi;
x = 1;
a[1] = 1;
put(y, 0)
}
active [3] proctype P0() { byte i, j;
y = 1 - y
}
