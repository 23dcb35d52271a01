/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 23 states 35 transitions; default 21 states 33 transitions; safety holds
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
chan r = [0] of { byte };
active [2] proctype P0() { byte i, j;
y >= 0;
(((2 || a[0]) << 2));
d_step { a[_pid]--;
y++;
mc!green(2) } unless atomic { atomic { atomic { skip;
d_step { d!3(x);
printf("%d\n", x) };
y = 0;
b++;
L1: x++ };
L2: a[1] = 3 };
i = a[x] }
}
