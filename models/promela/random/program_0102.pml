/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 43 states 73 transitions 1 errors; default 43 states 73 transitions 1 errors; safety violated (invalid end state)
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
active [2] proctype P0() { byte i, j;
r!0
}
active [2] proctype P1() { byte i, j;
a[_pid] = 2;
y++;
if
:: if
:: { { do
:: true -> c?_
:: { else -> nempty(d);
break }
:: a[1] <= 1 -> r?eval(x)
od } unless { a[1] = (a[1] + 1) % 3 } };
d!1(x);
{ { if
:: else -> SET(a[0], (y ^ len(d)))
:: a[1] = (a[1] + 1) % 3;
LESS(x, 2)
fi } unless printf("%d %d\n", _pid, y) }
fi
:: y <= 3 -> { x--;
full(c);
c!1 } unless { a[1] = (a[1] + 1) % 3;
x = 0 };
if
:: x--;
{ x--;
skip }
:: i++;
skip;
{ { r?_;
{ { timeout } unless { d?2(y);
b = LESS(x, y);
assert(y < 9) } };
b = !b } unless { do
:: (2) -> c!1;
skip
:: { else -> x++ }
od } }
fi
fi
}
