/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 13 states 16 transitions 1 errors; default 13 states 16 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
inline f(z) { z = z + 1; if :: z > 2 -> z = 0 :: else fi; x = 1 }
inline g() { if :: x == 1 -> y = 1 :: atomic { else -> y = 2 } fi; f(y) }
active proctype P0() provided (x != 3) { byte i;
  atomic { run Q(1); L2: i++ } unless { do :: skip; d_step { x = 1; printf("x\n") } :: break; end3: do :: c?[1] -> if :: x == 3 -> d!!x,2; goto progress5 :: d_step { x > 0 }; c?1 fi; skip od :: x == 3 -> x = ((!(2) && 0) -> (3 | a[0]) : (a[0] <= -(3))) od; progress4: x < 3 }; progress5: { false unless x = (((3 || a[1]) + _nr_pr) & (3 / 3)) }; do :: d_step { x = 1; i = (((3 % 1) | 3) < x) }; atomic { f(x); y++; L6: r?1; x = ((1 && (1 << 0)) -> (~(y) % 3) : x) } :: (y) -> nfull(c) :: len(r) == 0 -> printf("x\n") od; do :: i > 3 -> skip; d_step { if :: 0 -> printf("x\n") fi; select (i : 0 .. 2); if :: if :: else -> x = 1; x = 1 fi :: if :: x < 2 -> y++ :: f(x) :: else -> y++; d!1,y fi; end7: if :: (2) -> false fi; progress8: b = !((0 >= x)) :: (0) -> y++; y++ fi }; do :: if :: (((3 -> i : t.w[y%2]) / 2)) -> x = 1 :: d_step { y++; false }; atomic { assert(i < 0); r?eval(x); f(x) } fi :: atomic { else -> a[y%2] = a[1] } :: c??[2] -> goto end3 od :: d_step { c!1; t.u = (((2 / 1) & ~(2)) != (a[1] % 1)) }; select (i : 0 .. 2); atomic { len(c) == 1 } od; atomic { assert(x < 1) }
}
proctype Q(byte z) { byte i;
  { atomic { atomic { skip; atomic { false; if :: { else -> d?x,y; false } :: len(c) == 1 -> printf("x\n"); end13: g() :: x = 1; x = 1 fi } } unless atomic { i = 0; do :: i < 2 -> i++; (a[0]); L16: if :: c?<y> :: d_step { else -> x = 1; L14: assert(y < 1) } :: empty(c) -> t.u = (((3 <= a[0]) * (_nr_pr >= 2)) >> 1); end15: t.u = (len(c) / 3) fi :: else -> break od }; x = 1 } unless { if :: i == 3 -> if :: select (i : 0 .. x%3) :: i == 1 -> if :: x-- :: { else -> g(); assert(x < 0) } :: d_step { false }; len(r) == 0 fi; atomic { false; L17: i < 3; L18: y++; accept19: x = 1 } :: d!1,y; end20: printf("x\n") fi; y++ fi; atomic { if :: !(x < 2) -> x = (len(c) == 2); x = 1 :: d_step { skip }; b = 1 fi } } }; for (i in a) { (((3 >= x) < (_nr_pr <= i))); L21: y++ }
}
