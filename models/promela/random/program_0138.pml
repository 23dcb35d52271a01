/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 54 states 94 transitions 2 errors; default 54 states 94 transitions 2 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan r = [0] of { byte };
active proctype P0() { byte i, j;
if
:: true;
select (i : x .. x + 1)
:: b == 3 -> printf("%d %d\n", _pid, y);
if
:: _nr_pr >= 0 -> x--
fi
fi;
progress1: skip;
d_step { y == 2 };
{ printf("%d %d\n", _pid, y);
atomic { if
:: r?y;
{ y++;
progress2: skip };
b = !b
fi;
atomic { skip;
d_step { x = 3;
y = 1 - y };
select (i : 0 .. x);
select (i : x .. x + 1) };
select (i : 0 .. x);
if
:: y = 1 - y;
atomic { r!3;
skip;
L3: assert(x < 9);
y++ };
atomic { x++;
y = (3 || a[x]);
y-- }
:: a[0] == 0 -> i = 0;
do
:: i < 2 -> i++;
b != 3;
L4: r?_
:: else -> break
od
:: else;
skip;
d_step { a[1] = 0;
x--;
b = !b };
L5: if
:: assert(x < 9);
b = 0;
a[1] = (3 -> a[x] : x)
:: d_step { b = 3;
y++ };
x--;
r?_
:: d_step { { else -> b = y } }
fi
fi } };
end6: r!x
}
active proctype P1() { byte i, j;
x = (3 + (a[0] || 2));
skip;
d_step { b = a[1] };
y = _pid
}
