/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 428 states 571 transitions 40 errors; default 428 states 571 transitions 40 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
short s = 3;
int n = 1;
bit k;
chan r = [0] of { byte };
active proctype P0() { byte i, j;
x++;
do
:: a[0] >= 0;
do
:: atomic { d_step { else; n = 0 };
a[1] = (a[1] + 1) % 3 }
od;
skip;
d_step { k != 1;
x++;
x-- }
:: assert(s != 1);
select (i : 0 .. 2);
if
:: d_step { s = 32767;
{ a[1] = (a[1] + 1) % 3 } };
y < 3;
x--
:: atomic { else -> break;
skip;
d_step { s = y;
y++ } }
:: i <= 0 -> if
:: if
:: skip;
skip;
end1: assert(y <= 0)
:: x--;
x++
fi;
skip;
d_step { _pid == 0;
x = 1 };
if
:: d_step { else -> n-- }
:: r!x;
break;
r!2
:: atomic { (((3 >> 0) <= 3)) -> y++;
end2: y = 1 - y };
y = _pid
fi
:: y = 0;
accept3: { r!1;
break } unless a[x] >= 2
:: r!0;
do
:: x = 1;
break;
r?y
od
fi;
{ { b = !b;
if
:: x++;
L4: b = ((2 == 3) -> (a[0] && 0) : a[1])
:: n != 1 -> assert(y < 9);
a[1] = (a[1] + 1) % 3
:: skip;
x++;
x--
fi;
L5: do
:: y--;
n = _pid
:: n == 1;
x++
od } unless { x = 1;
L6: break;
L7: y++ } }
fi
od;
if
:: { { else -> if
:: a[1] = 2;
skip;
d_step { s = (0 <= 0);
y = 1 - y }
:: { atomic { y = 1 - y;
y-- } };
printf("%d %d\n", _pid, y);
skip;
d_step { n++ }
fi } unless { if
:: _pid <= 0;
do
:: i <= 0 -> r!x
:: s = 1;
b = !b
od
:: assert(s >= 0);
n != 0;
r?_
fi } }
fi
}
