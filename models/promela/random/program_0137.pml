/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 19 states 33 transitions; default 19 states 33 transitions; safety holds
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
inline f(z) {
x = 1
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: atomic { else -> y = 0 }
fi;
{ assert(y != 2) unless { y = 1 - y } };
if
:: atomic { x == 0 -> a[1] = (a[1] + 1) % 3;
a[1] = (a[1] + 1) % 3 };
b = !b;
assert(x == 2)
:: else
fi;
put(y, 0)
}
active [2] proctype P0() { byte i, j;
y++
}
active proctype P1() { byte i, j;
{ y = _pid;
atomic { if
:: put(y, x) unless { c?_ };
r?1
fi;
c!0 };
if
:: put(x, 1) unless atomic { a[1] = (a[1] + 1) % 3 }
:: for (j : 1 .. 2) {
assert(x < 9);
if
:: atomic { (((3 -> 2 : len(c)) <= (a[1] ^ _pid))) -> skip;
x++ };
assert(y >= 3);
x = 1
:: else -> a[_pid] = 2
:: printf("x\n");
x == 2
fi
};
for (i in a) {
break
}
:: nfull(c) -> if
:: atomic { else -> i = 0;
do
:: i < 2 -> i++;
i = (y < 1)
:: else -> break
od }
:: atomic { (b > 2 && a[_pid] >= 3) -> printf("x\n") };
do
:: atomic { i != 0 -> r!0 };
b = !b
od;
do
:: else -> b = ((3 / 2) -> (1 % 3) : b);
x++
:: skip -> x--
:: a[0] < 0;
break
od
fi;
c!2
fi } unless { skip };
SET(x, (_pid -> a[0] : 0))
}
