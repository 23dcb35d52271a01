/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 36 states 58 transitions 4 errors; default 36 states 58 transitions 4 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  select (i : 0 .. x%3)
}
active proctype P1() { byte i;
  { { { for (i : 0 .. 2) { assert(x < 9); i > 3 }; L1: do :: c?[eval(x)] -> for (i : 0 .. 2) { d!!x,2 } od } unless { do :: { skip; assert(x < 9); L2: c!!x } unless d??_,2 :: d!!x,2; r!2; if :: t.u = (i -> (-(0) < (t.u || t.w[1])) : ((0 -> 3 : _nr_pr) | 1)) fi od; atomic { i = 0; do :: i < 2 -> i++; r?y :: else -> break od; y > 0; d!1,y } } } } unless r?y; accept3: true; c?1; accept4: for (i in a) { do :: if :: else -> { x = 1 } fi od; y = 3 }; select (i : 0 .. x%3)
}
