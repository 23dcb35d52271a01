/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 7 states 7 transitions; default 7 states 7 transitions; safety holds
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
inline f(z) {
if
:: t.w[1] = t.w[y % 2];
m = red;
y++
:: ts[1].w[0] < 1 || y >= 1 -> t.u = 2
:: else;
t.u++;
t.w[1] = ts[1].w[0]
fi;
x = 1
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else -> y = 2
fi;
y++;
put(y, 0)
}
active proctype P0() { byte i, j;
if
:: t.w[1] = (0 == y);
{ t.u = (0 % 1) unless d_step { t.w[y % 2] < 0;
x = 3;
end1: i = ((_pid >> 2) | y) } }
:: x >= 1 -> x-- unless d_step { a[1] = (_pid << 0);
x++;
i = 0;
do
:: i < 2 -> i++;
i = 0;
do
:: i < 2 -> i++;
g();
y = ((_pid -> a[1] : b) && !(x))
:: else -> break
od
:: else -> break
od }
:: d_step { { else -> x++;
L2: y++ } }
fi;
if
:: ((!(a[x]) -> (3 < 3) : (t.w[y % 2] || a[x]))) -> ts[y % 2].w[0]++
:: d_step { _nr_pr != 0 };
y--;
x = 1
:: else;
do
:: (_nr_pr);
if
:: skip;
d_step { a[x] <= 1;
x-- }
fi;
x--
:: skip;
d_step { y = ((y ^ 1) || y) };
do
:: x > 2;
m = q;
L3: x = 1
:: !(b > 2) -> b = !b;
{ { f(x);
assert(x < 9);
x = 1 } unless d_step { y != 3;
i = 3 } }
od
od;
x--
fi
}
