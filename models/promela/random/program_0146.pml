/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 22 states 25 transitions 3 errors; default 22 states 25 transitions 3 errors; safety violated (invalid end state)
 */

mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
chan cs[2] = [1] of { byte };
chan r = [0] of { byte };
inline f(z) {
x--
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: atomic { else -> y = 0 }
fi;
if
:: else -> a[0]--
:: m == red -> b = !b
fi;
put(y, 0)
}
active proctype P0() { byte i, j;
x = !(2);
{ i = 2 };
run Q(_pid);
x--;
r?y
}
proctype Q(byte z) { byte i, j;
{ do
:: a[1] <= 0 -> cs[1]!x;
a[1] = (a[1] + 1) % 3
:: else -> a[1] <= 3
od;
{ { x = 1;
if
:: ((_pid >= (2 -> x : y))) -> do
:: y++;
m == q
:: cs[1]!x
od
fi;
i-- } unless { { a[1] = 2 unless { y = 1 - y;
r?eval(x) } };
m = green } } } unless { r!x;
assert(y < 9) };
{ { a[0] = a[0];
if
:: x = 3;
{ { len(r) == 0;
y = 1 - y } unless { if
:: z > 3;
x--;
x++
:: g();
a[0] = 1
:: a[0] = 0;
y = 1 - y
fi } };
select (i : 0 .. x)
:: r!x;
{ do
:: else -> x = 1
:: y > 0 -> a[1] = (3 / 2)
od } unless { { a[1] = (a[1] + 1) % 3 } unless { a[0]++;
put(x, 1);
y++ };
y++ };
i = 2
fi } unless z = 2 };
r!2
}
