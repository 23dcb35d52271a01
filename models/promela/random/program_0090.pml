/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 44 states 85 transitions 2 errors; default 44 states 85 transitions 2 errors; safety violated (invalid end state)
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
chan cs[2] = [1] of { byte };
chan r = [0] of { byte };
active proctype P0() { byte i, j;
y = 1 - y;
y = 1 - y
}
active proctype P1() { byte i, j;
if
:: c?eval(y);
y = 3
:: x = b;
b > 3
fi;
for (j : 1 .. 2) {
cs[0]!1
}
}
init { byte i, j;
do
:: !(y != 3) -> a[0] = (y ^ 0)
:: else -> a[0]--;
if
:: x != 2 -> { d!2,y;
atomic { skip;
r!1;
c!x;
break };
do
:: else -> !(y <= 1)
:: atomic { (((x -> 1 : 2) || y)) -> y++ };
nfull(r)
:: x == 3 -> a[1] != 0
od }
fi
od
}
