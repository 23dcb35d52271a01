/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 336 states 1017 transitions 1 errors; default 189 states 541 transitions 1 errors; safety violated (invalid end state)
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
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
active [2] proctype P0() { byte i, j;
do
:: true -> for (i : 0 .. 2) {
c?x;
for (j : 1 .. 2) {
assert(b < 9);
y = 1 - y
}
}
:: else -> a[_pid] = x;
skip;
d_step { a[_pid] == 1;
x = 1 }
:: c?eval(y);
skip;
d_step { d!2(x);
y = 1 - y };
do
:: a[x] >= 3 || ts[x % 2].w[1] > 3 -> do
:: t.u = y;
x++
:: m -> if
:: else;
a[_pid] = 0;
break
fi;
c?1
od;
do
:: (((_pid && y) -> (a[x] > x) : 1));
do
:: else -> x = 1
:: d_step { c?eval(y);
x-- };
x--
od;
skip;
d_step { t.w[x % 2] = (~(a[0]) == (0 > a[_pid])) }
:: d_step { x--;
{ skip;
x++;
q = m } };
LESS(x, 2);
x = 1
od
:: break;
m = red;
skip
od
od;
for (i : 0 .. 2) {
if
:: else;
do
:: i = 1;
{ m != green;
x = 3 }
od;
printf("%d %d\n", _pid, y)
:: empty(c) -> c?x
:: a[x] < 0;
if
:: a[1] >= 2 -> skip;
d_step { c?_;
m = red }
fi;
y = 1 - y
fi
};
y = 1 - y
}
active [2] proctype P1() { byte i, j;
SET(i, -(t.u));
{ if
:: y = 1 - y;
ts[y % 2].w[0] = 0
fi }
}
