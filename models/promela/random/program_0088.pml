/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 271 states 801 transitions; default 271 states 801 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
inline f(z) {
printf("x\n")
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: atomic { else -> y = 0 }
fi;
y = 1 - y;
a[1] = (a[1] + 1) % 3;
put(y, 0)
}
active [2] proctype P0() { byte i, j;
a[1] = (a[1] + 1) % 3
}
init { byte i, j;
atomic { run Q(1); run Q(1) };
run Q(x)
}
proctype Q(byte z) { byte i, j;
y = a[x];
y <= 3
}
