/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 29 states 30 transitions 1 errors; default 29 states 30 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
chan cs[2] = [1] of { byte };
chan r = [0] of { byte };
active proctype P0() provided (_pid == 0 || y < 2) { byte i, j;
printf("%d %d\n", _pid, y);
if
:: atomic { a[1] = (a[1] + 1) % 3;
a[x] >= 0;
end1: assert(y < 9) };
end2: ts[y % 2].w[0]++;
select (i : 0 .. x)
:: x = 1;
x++;
end3: t.u = (1 <= y)
:: atomic { true -> b = !b;
L8: x++ };
ts[y % 2].w[0] = 0;
L4: if
:: t.w[x % 2] = 2;
if
:: a[0] != 1 -> { x++;
x++;
x = 1 };
if
:: i = 3;
_pid > 1;
r?y
:: else -> t.w[y % 2] != 1;
progress5: y++
fi
:: _pid < 3 -> do
:: else
od;
if
:: else;
assert(i == 3);
L6: x = 1
fi
fi;
end7: a[1] = (a[1] + 1) % 3
:: { b++ };
x = 1
fi
fi;
assert(x < 9);
t.w[1] = 2
}
