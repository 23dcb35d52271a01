/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 29 states 30 transitions; default 11 states 12 transitions; safety holds
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() provided (x != 3) { byte i;
  for (i in a) { { break unless { for (i in a) { if :: d_step { y++; x = 1 }; t.w[x%2] = (h -> (t.w[1] -> (1 % 3) : (1 > t.w[1])) : ((3 % 3) ^ (0 -> t.w[1] : 0))) fi; break } } } }; r?1; L1: empty(r); c??[2]; skip; d_step { false; progress2: false }
}
