/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 28 states 53 transitions 1 errors; default 28 states 53 transitions 1 errors; safety violated (invalid end state)
 */

#define SET(v, e) v = e
#define LESS(p, q) ((p) < (q))
#define BOTH(p, q) (p != 0 && q != 0)
#define LIMIT 2
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
chan cs[2] = [1] of { byte };
inline f(z) {
i = 0;
do
:: i < 2 -> i++;
x++;
SET(a[0], (3 || 1))
:: else -> break
od;
SET(t.w[x % 2], (t.u >= 2))
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else -> y = 2
fi;
b = !b;
{ { x = 1;
x++;
x-- } unless { x = 1 } };
put(y, 0)
}
active proctype P0() { byte i, j;
do
:: else -> t.u = 0;
x--
:: atomic { m != green -> c?eval(y) };
do
:: y++;
y = 3;
printf("%d\n", x)
:: else -> b = !b;
if
:: else
fi
od
od;
{ y = 1;
(a[0] > 1 && b < 2) };
put(x, 1) unless run Q(1);
run Q(_pid);
{ x = 1;
x = 1 }
}
init { byte i, j;
atomic { run Q(1); run Q(1) };
mc?eval(m),1
}
proctype Q(byte z) { byte i, j;
skip;
x--
}
