/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 18 states 26 transitions 2 errors; default 18 states 26 transitions 2 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan cs[2] = [1] of { byte };
inline f(z) {
atomic { a[1] = (a[1] + 1) % 3;
x++ };
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
:: else -> y = 2
fi;
b = !b;
atomic { y = ((len(c) || 0) > 0);
y = (b + b);
y = 1 - y };
put(y, 0)
}
active proctype P0() { byte i, j;
a[1] = (a[1] + 1) % 3;
if
:: c!1;
c!x;
{ y = _pid }
:: (ts[0].u != 1 && a[x] == 0) -> ts[0].u >= 3;
{ do
:: t.u >= 1 -> a[1] = (a[1] + 1) % 3
od }
:: else -> if
:: x++;
if
:: d?1,y;
x--;
x = 1
:: y++
:: if
:: i = 3
:: c!1
fi
fi
:: x--;
b = _pid;
ts[y % 2].w[0] = 3
fi
fi
}
active proctype P1() { byte i, j;
if
:: else -> a[1] = ts[1].w[0]
:: t.u != 2 -> assert(t.u < 2);
c?_
fi;
t.w[x % 2] = 0;
0
}
