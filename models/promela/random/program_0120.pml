/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 145 states 239 transitions; default 145 states 239 transitions; safety holds
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
active [2] proctype P0() { byte i, j;
a[1] = (a[1] + 1) % 3;
if
:: (1) -> x--;
if
:: a[_pid] = (1 | (3 <= _pid));
a[1]++
:: else
fi
:: !(a[_pid] < 1) -> y = 1 - y
fi;
assert(b < 9)
}
