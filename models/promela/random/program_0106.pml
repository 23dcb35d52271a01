/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 9 states 13 transitions 1 errors; default 9 states 13 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
active [2] proctype P0() { byte i, j;
i = 1;
y++
}
active proctype P1() { byte i, j;
{ if
:: b != 0;
if
:: _pid != 1 -> x = 1
:: else -> y = 1 - y;
if
:: x = a[_pid];
y++
:: i != 3 -> y = 1 - y
:: b == 3;
x--
fi
:: a[_pid] == 0 -> assert(x < 9)
fi
fi;
x++;
a[1] = (a[1] + 1) % 3 };
a[_pid] = i;
x++
}
