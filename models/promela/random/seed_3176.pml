/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 8 states 11 transitions 1 errors; default 8 states 11 transitions 1 errors; safety violated (invalid end state)
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
  { printf("x\n") unless goto L1 }; L1: x = 1; i == 3
}
active proctype P1() { byte i;
  { if :: i > 0 -> i == 2 unless atomic { skip } :: y != 1 -> atomic { a[y%2] = (0 - ((2 >> 0) * (t.w[1] < a[x%2]))) } unless { skip; d_step { y++ } }; { r!0 } :: x > 2 -> { atomic { skip; d_step { a[y%2] = ((1 + (x -> 2 : 1)) || a[0]); y++; end3: y++ } } unless c??<x> } fi }; do :: (((_pid % 3) || (1 -> _pid : _pid))) -> d?x,y; a[1]++ :: if :: (((1 / 1) && (t.w[y%2] && y))) -> a[0] = ((~(a[x%2]) * (0 / 2)) -> (!(2) * 3) : !(_pid)) :: atomic { atomic { (-(2)); x = 1; d??_,2; L4: t.u = (((2 -> 0 : t.w[1]) / 1) != (-(a[x%2]) + (3 -> 2 : t.w[y%2]))) } } unless { r!0 } :: (((x % 3) - (0 >= h))) -> r!0; h = ((1 > (2 | t.u)) >> 2) fi; c!!x; atomic { printf("x\n") } unless { skip; d_step { f(x); if :: nempty(c) -> i > 3 fi }; r!0 } :: else -> { (x); atomic { if :: d_step { false; end5: f(x) }; !(x < 0); L6: printf("x\n") :: x = 1; i < 0; x = 1 fi; if :: d_step { x = 1; x = 1 }; skip; y++ :: skip; r?eval(x); a[y%2] = (((2 == _nr_pr) - (3 > 2)) ^ (1 / 2)) fi; if :: timeout -> x = 1; L7: x = (0 | ((y ^ t.w[y%2]) << 1)) :: g() fi; atomic { x == 1; 1; a[0] = (a[0] <= a[0]) } }; atomic { { a[1]++ unless { x < 3; (((a[x%2] >> 2) -> ~(i) : (2 & 1))) } }; c?[1]; if :: x = 1; L8: skip; L9: skip fi; empty(d) } } unless i > 1 od; L10: c!!x; f(x)
}
