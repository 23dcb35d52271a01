/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 32 states 61 transitions 4 errors; default 32 states 61 transitions 4 errors; safety violated (invalid end state)
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
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active [2] proctype P0() { byte i, j;
x--
}
active proctype P1() { byte i, j;
skip;
d_step { y == 2 };
accept1: if
:: d_step { else -> y = 1 - y }
:: a[x] == 1 -> printf("x\n");
r!3
fi;
do
:: else -> skip;
d_step { c?y;
if
:: k > 3;
i = 3
fi }
:: d_step { _pid < 2 };
do
:: atomic { skip;
d_step { mc?red,x };
a[1] = (a[1] + 1) % 3;
if
:: printf("x\n");
y = 1 - y
:: k >= 3 -> y = n;
b = 0
:: else -> a[_pid] = (3 && x);
a[1] = (a[1] + 1) % 3
fi;
x++ }
:: { x--;
c?x;
end2: for (i : 0 .. 2) {
a[_pid] = 2;
x == 2
} };
if
:: (i != 0 && a[x] != 0) -> if
:: m -> q = m
:: atomic { nempty(d) -> d!0,y };
x = 2;
(y <= 3 && a[x] <= 1)
:: atomic { d_step { else; y++ };
x--;
d?1,y }
fi
fi
od;
skip;
d_step { mc?green(y);
if
:: mc!m,x;
a[1] = (a[1] + 1) % 3
fi }
od;
x = 1
}
init { byte i, j;
if
:: atomic { else -> if
:: a[1] = (a[1] + 1) % 3;
i = 0;
do
:: i < 2 -> i++;
i = 0;
do
:: i < 2 -> i++;
a[1] = (a[1] + 1) % 3
:: else -> break
od;
a[0] == 2
:: else -> break
od
:: x = 1;
skip;
d_step { y >= 2;
a[1] = (a[1] + 1) % 3 }
fi;
skip }
fi;
d!3(x)
}
