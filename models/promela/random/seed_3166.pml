/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 8 states 12 transitions 5 errors; default 8 states 12 transitions 5 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  y++; atomic { { r?_ unless x = 1 }; x++; accept1: x-- }; atomic { atomic { i = 0; do :: i < 2 -> i++; if :: { else -> x = (((0 -> 1 : 0) >> 1) -> ((2 & y) >= len(c)) : ((1 -> i : 0) -> (2 % 2) : (x || len(c)))) } :: skip -> break; L3: break :: y = (((3 != 0) >> 0) - h); i != 2 fi :: else -> break od; empty(r); select (i : 0 .. x%3) }; atomic { !(i != 2); i = 0; do :: i < 2 -> i++; if :: atomic { else -> false } :: d_step { x = 1; skip }; y == 1 :: printf("x\n"); progress4: x = (!((2 % 2)) < ((y / 2) << 2)); b = (((3 - len(c)) >> 2) / 2) fi :: else -> break od; { x = 1 } unless { printf("x\n"); { { x = 1; run Q(x) } unless { printf("x\n") } } }; i = 0; do :: i < 2 -> i++; if :: else -> skip fi :: else -> break od }; if :: if :: else -> atomic { skip; d_step { x != 2; timeout; progress5: y++ } }; y++ fi fi }; end9: if :: x == 2 && r?[1] -> for (i in a) { a[y%2] = (t.w[y%2] || ((a[1] << 0) == _pid)); printf("x\n") }; do :: y < 2 -> assert(x < 9) od :: goto L3; { for (i in a) { c?1 }; for (i in a) { select (i : 0 .. x%3); end6: r!2 } }; do :: (a[1]) -> (2); atomic { { x = 1; x = 1; break }; d!1,y; L7: break; r?eval(x) } :: t.w[x%2] = (0 >= ((3 + 3) <= (2 - 2))); { y++ } od :: { else -> x = 1; accept8: x-- } fi
}
proctype Q(byte z) { byte i;
  skip
}
