/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 64 states 145 transitions 1 errors; default 64 states 145 transitions 1 errors; safety violated (invalid end state)
 */

#define SET(v, e) v = e
#define LESS(p, q) ((p) < (q))
#define BOTH(p, q) (p != 0 && q != 0)
#define LIMIT 2
mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
active [3] proctype P0() { byte i, j;
if
:: d_step { y = i } unless { skip;
d_step { b = ((len(c) / 3) / 3);
m = green };
atomic { if
:: assert(x < 9);
end1: x--
:: a[_pid] = x
:: b = !b;
b = !b
fi;
skip;
d_step { d!3,y;
x++ } } unless { skip;
d_step { y > 1 };
mc!m,x;
d?1,y } };
assert(x < 9);
x = 0
fi
}
active proctype P1() { byte i, j;
(a[x]);
progress2: if
:: skip;
d_step { b != 2 }
fi
}
