/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 8 states 8 transitions; default 8 states 8 transitions; safety holds
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  if :: { else -> if :: timeout -> t.u = (((3 > a[1]) < ~(x)) | ~(a[0])) :: nfull(c) -> i < 2 :: y < 0 -> { skip; d_step { timeout }; if :: atomic { else -> false } fi; atomic { printf("x\n") } unless { assert(x < 9); y++ } } unless { for (i : 0 .. 2) { h = (((2 > x) && (1 << 2)) -> ((0 >> 1) << 1) : ((i < 3) < !(t.u))); x = (0 > x) }; b = ((!(0) <= -(t.u)) - ((i < h) -> (3 + y) : (len(c) == 1))) }; a[y%2] = 3 fi; x = 1 } fi; x = 1; a[1]++
}
