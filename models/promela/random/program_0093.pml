/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 12 states 13 transitions 7 errors; default 12 states 13 transitions 7 errors; safety violated (invalid end state)
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
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active [2] proctype P0() { byte i, j;
{ assert(y != 0);
if
:: else -> atomic { if
:: a[_pid] = 2;
x = 1;
skip
:: else -> x = 1;
t.u = 1
:: a[_pid] != 1 || a[x] != 0 -> r!3;
y++
fi;
if
:: t.u < 0 -> ((y || (3 -> 2 : 2)))
:: a[_pid] <= 0 -> printf("%d %d\n", _pid, y);
x++
fi };
a[0] <= 3 || a[_pid] == 3
fi } unless atomic { y++;
{ if
:: atomic { ts[0].u != 3 -> if
:: a[1] = (a[1] + 1) % 3;
x = 1;
r!x
:: b == 3;
c!x;
a[0] = 0
fi };
i = 0;
do
:: i < 2 -> i++;
d?x,y
:: else -> break
od
:: a[1] = (a[1] + 1) % 3;
{ m = q unless { x-- } };
{ { printf("%d %d\n", _pid, y);
r!3;
q = m } unless { skip;
a[1] = 0;
x-- } }
:: else -> assert(y < 9);
r?1
fi;
{ { assert(b < 9);
q = m;
y = 1 - y } unless atomic { y = a[_pid];
x++;
a[_pid] = t.w[1] };
atomic { assert(y < 9);
t.w[x % 2] = 2;
b = !b;
ts[x % 2].w[1] >= 3 };
c!x unless { empty(r) } };
y = 1 - y };
a[x] > 1 };
y++;
y++
}
