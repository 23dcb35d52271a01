/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 12 states 18 transitions 6 errors; default 6 states 14 transitions 2 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  atomic { i = 0; do :: i < 2 -> i++; select (i : 0 .. x%3); for (i in a) { a[1]++ } :: else -> break od; atomic { atomic { if :: x != 2 -> x = 1; d?2(i) :: i = 2 fi; atomic { false; y = (((t.w[y%2] << 2) == ~(0)) -> ((0 >= 0) & !(h)) : (t.w[1] <= 2)); y++ } unless { b = -(0); x++ }; accept2: if :: y++; y == 2; h = (((2 % 2) -> 0 : (1 / 1)) << 2) :: else -> c?[1]; skip fi }; for (i : 0 .. 2) { atomic { break; d?1,y } }; atomic { d?x,y; if :: i != 3 -> timeout :: d_step { t.w[x%2] = (((a[x%2] <= 2) > (a[0] == h)) ^ (!(y) - ~(3))) }; i = (3 ^ (~(t.w[1]) -> len(c) : (3 -> _pid : i))); y++ :: c?[1] -> x = (1 & !(0)) fi; x = t.w[y%2] }; i == 0 } } unless { r!3 }
}
active proctype P1() { byte i;
  select (i : 0 .. 2); L3: r!0; atomic { printf("x\n") }; skip; d_step { assert(x < 9); accept5: if :: x = 1; L4: false :: (0) -> t.u = ((0 << 1) -> (t.w[y%2] && len(c)) : ((3 == t.u) -> 3 : (0 ^ i))); x = (!((x % 1)) + !((t.w[y%2] - 1))) fi; c!!x }; L8: skip; d_step { y < 0; progress7: if :: x = 1 :: a[0] = _pid; i = 0; do :: i < 2 -> i++; atomic { c??2 }; i = 0; do :: i < 2 -> i++; d?2(i); x-- :: else -> break od :: else -> break od; x = 1 :: atomic { else -> i = 0; do :: i < 2 -> i++; c?eval(y) :: else -> break od; i = 0; do :: i < 2 -> i++; a[y%2] = -(2); end6: false :: else -> break od } fi }
}
