/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 18 states 30 transitions 2 errors; default 18 states 30 transitions 2 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  y = -(((1 * 0) % 1))
}
active proctype P1() { byte i;
  atomic { { { y++ } unless { atomic { if :: atomic { else -> h = ~(((1 / 1) > (1 && len(c)))); L1: false } :: t.u = (t.u <= t.w[1]); L2: r?1; r!0 :: (((x > len(c)) -> (2 > 3) : (2 * 3))) -> x = 1; run Q(1) fi; skip; d_step { c!3 }; assert(x < 9); atomic { run Q(x) } }; false } } }
}
proctype Q(byte z) { byte i;
  a[0] = !(3)
}
