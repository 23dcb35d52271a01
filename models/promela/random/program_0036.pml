/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 102 states 177 transitions 4 errors; default 102 states 177 transitions 4 errors; safety violated (invalid end state)
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
active proctype P0() { byte i, j;
c?eval(y);
t.w[1] = ts[1].w[0];
a[1] = (a[1] + 1) % 3;
c!2 unless { { select (i : 0 .. x);
assert(a[0] >= 2);
c!3 };
x--;
L1: b = !b }
}
active proctype P1() { byte i, j;
skip;
d_step { ts[1].w[0] != 1;
if
:: a[x] < 0 -> x = 1;
x--
:: else;
x = 1
fi };
if
:: t.w[x % 2] = 2;
x++;
L2: x = len(d)
:: a[1] <= 1;
if
:: y++;
do
:: else;
a[1] = t.w[1];
goto accept6
:: d_step { a[1] = a[0] };
{ printf("x\n") } unless { ts[y % 2].w[0]++;
break };
x++
:: b < 1 -> a[0] = 0
od;
L3: select (i : x .. x + 1)
fi;
skip
:: ts[x % 2].w[1] <= 2 -> do
:: t.u++;
ts[0].u == 1;
if
:: 0 -> x <= 3
:: a[x] <= 3 -> { skip }
:: atomic { d_step { else; a[0] = _pid };
{ goto L4 };
do
:: else;
c?x;
ts[y % 2].w[0] = 1
:: (a[1] == 3 && ts[1].w[0] < 2) -> a[1] = _pid;
c?_
:: d_step { y--;
b = 2 };
t.u = 1;
printf("%d\n", x)
od }
fi
:: if
:: else -> c?y;
if
:: a[x] != 0;
skip;
d_step { t.u = 1;
x-- }
:: (x >= 3 && a[x] >= 1);
if
:: !(ts[1].w[0] < 2);
L4: x = 1;
y++
fi;
x++
:: atomic { d_step { else; b = 0 };
mc?green(y) }
fi
fi
od
fi;
end5: { { select (i : 0 .. x);
{ { select (i : 0 .. x);
(t.u <= 3 && _pid != 1);
skip };
accept6: { goto L3;
d?1,y;
L7: { assert(ts[0].u >= 1);
x == 2;
accept8: x-- } } unless { ts[y % 2].w[0] = y;
L9: x--;
{ goto end5;
mc!m,x } unless { a[1] = (a[1] + 1) % 3;
y = 1 - y } } } } unless { mc?eval(m),1;
x = 1;
select (i : x .. x + 1) } };
mc!m,x
}
init { byte i, j;
c!3
}
