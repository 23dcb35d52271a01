/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 22 states 44 transitions 3 errors; default 10 states 22 transitions 1 errors; safety violated (invalid end state)
 */

#define SET(v, e) v = e
#define LESS(p, q) ((p) < (q))
#define BOTH(p, q) (p != 0 && q != 0)
#define LIMIT 2
unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i, j;
b = !b;
r!2;
do
:: else
:: d!2,y;
if
:: true -> do
:: !(b <= 3) -> y = 0
:: x > 1 || i == 3 -> d!2(x)
:: (((1 -> i : len(d)) < (0 & 0))) -> if
:: else;
assert(y < 9)
:: c!3;
a[1] = 1;
printf("%d %d\n", _pid, y)
:: !(_nr_pr != 2) -> c?eval(y);
L1: x < 2
fi
od
:: else -> if
:: if
:: r!x;
progress2: r?_;
L3: x--
:: y = 1 - y;
b = !b
fi;
x++;
if
:: else
fi
fi;
L4: r?1
fi;
d!0(x)
od
}
active proctype P1() { byte i, j;
do
:: d!2,y;
select (i : 0 .. 2)
od;
printf("x\n");
if
:: if
:: a[1] = 0;
x--;
skip
:: i > 3 -> atomic { y = 1 - y;
b = !b;
if
:: SET(x, (i -> 2 : _pid));
printf("%d\n", x)
:: else -> a[1]--;
b = !b
fi };
select (i : 0 .. 2)
fi
fi;
x--
}
