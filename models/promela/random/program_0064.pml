/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 96 states 205 transitions; default 96 states 205 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
chan cs[2] = [1] of { byte };
inline f(z) {
i = 0;
do
:: i < 2 -> i++;
a[1] = (a[1] + 1) % 3;
x++
:: else -> break
od
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else
fi;
x++;
x++;
put(y, 0)
}
active [2] proctype P0() { byte i, j;
if
:: else -> if
:: ts[0].u != 2 -> a[x] < 3;
do
:: if
:: else -> printf("x\n")
fi;
a[1] = x
:: a[0] < 1 -> do
:: atomic { i > 3 -> y = 1 - y;
x < 1 };
break
:: else -> goto L2;
goto L1
od;
L1: do
:: else -> x++
:: (((y << 1) | (2 <= a[_pid]))) -> x++;
assert(x > 2)
:: (a[_pid] == 1 && a[x] <= 2) -> t.u = _pid;
L2: y < 2
od
:: x--
od
fi
:: x++;
if
:: { else -> y = ((x || a[x]) & (_pid - t.w[y % 2]));
skip }
fi
fi
}
active proctype P1() { byte i, j;
goto L11;
accept3: { if
:: if
:: else -> x = 1
fi;
a[1] = (a[1] + 1) % 3;
end4: run Q(x)
:: x = 1;
x++;
y++
:: a[x] > 3;
a[1] = (a[1] + 1) % 3;
y++
fi;
y++ };
L5: t.w[1] < 1;
L6: atomic { i = 0;
do
:: i < 2 -> i++;
y = 1 - y;
L7: if
:: a[1] = 0;
if
:: x++;
x++;
(i)
fi;
i = 0;
do
:: i < 2 -> i++;
x++;
a[_pid] = y
:: else -> break
od
:: if
:: b = !b;
ts[y % 2].w[0] = a[_pid]
fi
fi
:: else -> break
od;
i = 0;
do
:: i < 2 -> i++;
{ a[1] = (a[1] + 1) % 3;
if
:: else
:: x != 3 -> x = 1
fi }
:: else -> break
od;
if
:: ts[1].w[0] != 3 -> if
:: a[1] = 3;
atomic { x = 1;
x++;
t.w[y % 2] <= 2 }
:: else -> atomic { a[_pid] <= 1;
x++;
a[1] = (a[1] + 1) % 3;
x++ };
L8: if
:: x = 1;
L9: x++;
goto end4
:: x = 2;
x = 1
fi
:: a[_pid] < 3;
g();
L10: y = 1 - y
fi;
printf("%d %d\n", _pid, y)
:: else;
atomic { if
:: ts[x % 2].w[1] == 0 -> a[0] = a[_pid]
:: t.u >= 1 -> ts[x % 2].w[1] <= 1
:: else -> ts[0].u > 0;
t.u--
fi }
:: atomic { !(t.w[1] < 3) -> if
:: atomic { a[_pid] < 0 -> x = 1 };
a[_pid] = 0;
{ run Q(x);
x--;
L11: skip }
:: ts[1].w[0] <= 1 -> a[x] <= 0
:: i = 0;
do
:: i < 2 -> i++;
ts[0].u == 2
:: else -> break
od;
ts[y % 2].w[0] = 1
fi };
a[1] = 0;
ts[y % 2].w[0] = 0
fi;
cs[0]!1 }
}
proctype Q(byte z) { byte i, j;
skip
}
