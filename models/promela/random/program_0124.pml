/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 938 states 2582 transitions 11 errors; default 938 states 2582 transitions 11 errors; safety violated (invalid end state)
 */

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
active proctype P0() { byte i, j;
t.w[y % 2] < 1
}
active proctype P1() { byte i, j;
skip;
assert(y < 9);
L1: if
:: a[x] <= 1 -> if
:: c!3;
y++
:: else;
false
fi;
if
:: atomic { assert(x < 9) };
do
:: d!3,y;
break;
accept2: i >= 0
od
:: x = 1;
if
:: k = 1;
L3: atomic { run Q(1);
x++;
x--;
y = 1 - y }
:: ((a[1] | (1 <= 2))) -> if
:: ts[0].u <= 0 -> y = 1 - y
fi
fi
:: { c!x;
do
:: x = 1
od;
progress4: x-- };
x--
fi
:: else -> a[0] = ((y != 1) || (a[x] -> t.w[1] : 0))
fi
}
init { byte i, j;
run Q(0);
if
:: atomic { b = !b;
if
:: if
:: else -> skip;
y = (1 == b)
fi
fi;
b = !b };
y = 1 - y;
(1)
fi;
ts[0].u >= 2
}
proctype Q(byte z) { byte i, j;
a[1] = (a[1] + 1) % 3
}
