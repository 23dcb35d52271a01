/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 564 states 1205 transitions 13 errors; default 564 states 1205 transitions 13 errors; safety violated (invalid end state)
 */

mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
short s = 3;
int n = 1;
bit k;
active [2] proctype P0() { byte i, j;
x = 1;
x++
}
active proctype P1() { byte i, j;
x--;
if
:: d_step { a[0] == 3;
y = 1 - y };
if
:: if
:: if
:: else -> if
:: else
:: a[_pid] < 0 -> x = 1
:: y = (a[x] >> 2);
a[_pid] == 2 || n < 0
fi
fi
:: a[x] < 1 -> a[1] = (a[1] + 1) % 3
fi;
do
:: d_step { s = (a[_pid] < a[_pid]) };
{ x++;
a[_pid] = 2;
x++ } unless { k > 3;
a[1] = (a[1] + 1) % 3 }
:: a[_pid] > 2 -> _pid == 3
:: else -> if
:: a[1] > 0 -> a[1] = (a[1] + 1) % 3;
i = (a[_pid] -> 2 : i)
:: { { else -> (a[_pid] == 2 && k >= 1);
x = 1 } unless { x-- } }
:: d_step { y = (y >= (s <= y)) };
y++;
x = 1
fi;
x = 1
od;
skip;
d_step { a[0] >= 0;
b = !b }
:: if
:: d_step { else -> i = 0;
do
:: i < 2 -> i++;
y = 1 - y
:: else -> break
od;
x = 1 }
fi;
{ b = !b unless y = 1 - y }
:: if
:: b = !b;
y = 1 - y;
if
:: b = !b
fi
:: y = 1;
m = red;
n = 0
:: x == 0 || _pid == 0;
x = 1
fi;
printf("%d %d\n", _pid, y);
x--
fi
:: x--
fi;
{ b = !b;
do
:: do
:: (1) -> b = !b;
{ s = ((2 >> 0) == (k -> a[x] : y));
a[1] = (a[1] + 1) % 3;
break }
od;
if
:: _nr_pr < 3;
y++
:: { else -> (a[0] > 2 && _nr_pr != 3) }
fi
:: x = 1;
y++
od }
}
