/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 15 states 26 transitions 1 errors; default 15 states 26 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  h = _pid; y = (x -> ((a[0] & h) % 3) : (_nr_pr <= (_pid ^ 0)))
}
active proctype P1() { byte i;
  do :: { { else -> { printf("x\n") unless atomic { for (i : 0 .. 2) { assert(i < 3); progress1: break }; L2: i = 0 }; do :: { { else -> select (i : 0 .. x%3); y++ } unless { skip; d_step { false; printf("x\n"); progress3: x = 1 } } } od } } unless { c?1 } } :: goto L2 od
}
