/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 18 states 21 transitions 4 errors; default 18 states 21 transitions 4 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  skip; d_step { i = 0; do :: i < 2 -> i++; i = 0; do :: i < 2 -> i++; x = 1; y++ :: else -> break od :: else -> break od; progress1: if :: c??[2] -> y++ :: for (i in a) { { break; y++; false }; y = (i - 2) } :: t.w[x%2] = (((2 & 2) - -(2)) / 3) fi }; end2: ((t.w[1] <= (h >= h))); if :: false; (((x ^ t.w[1]) && (len(c) < t.w[1]))) :: timeout -> do :: select (i : 0 .. x%3); break; L3: atomic { assert(x > 3); i = 0; do :: i < 2 -> i++; x = 1 :: else -> break od; i = 0; do :: i < 2 -> i++; h = (a[x%2] -> 1 : ((1 >= a[0]) != -(_nr_pr))) :: else -> break od; assert(y < 2) } :: d_step { t.u = 1; printf("x\n") }; { { for (i in a) { c?<y>; end4: (((t.w[y%2] && a[0]) << 2)) }; (h) } unless { if :: timeout -> t.u = ~(2) fi; if :: r?_; end5: false fi } } od; atomic { i = 0; do :: i < 2 -> i++; if :: y++; L6: r!1 :: ((2 -> 3 : (a[x%2] == 1))) -> b = _nr_pr :: !(x != 3) -> y++ fi :: else -> break od; for (i in a) { !(x < 1); t.w[x%2] = 0 }; nfull(r) } fi; c?<y>; y > 3
}
