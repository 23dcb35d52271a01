/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 10 states 10 transitions 1 errors; default 10 states 10 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
inline f(z) { z = z + 1; if :: z > 2 -> z = 0 :: else fi; x = 1 }
inline g() { if :: x == 1 -> y = 1 :: atomic { else -> y = 2 } fi; f(y) }
active proctype P0() { byte i;
  printf("x\n"); f(x); g()
}
active proctype P1() { byte i;
  { c?eval(y); i < 1 }; accept1: a[y%2] = (((x -> 2 : 0) == (2 / 3)) <= t.w[1])
}
