/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 45 states 90 transitions; default 29 states 60 transitions; safety holds
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  select (i : 0 .. 2); atomic { { { if :: else -> atomic { x = 1; r!0; accept1: x = 1; printf("x\n") }; for (i in a) { skip; L2: x = (y || ~(t.w[y%2])) } :: select (i : 0 .. x%3); x = 1; i = 0; do :: i < 2 -> i++; y = y :: else -> break od :: x = 1; c?eval(y) fi; x > 1; L5: atomic { atomic { d!!x,2; accept3: y < 3 }; progress4: false; i = 0; do :: i < 2 -> i++; printf("x\n"); x = 1 :: else -> break od; if :: h = 3 :: if :: else -> c?eval(y) fi fi } } unless { x = (y -> _nr_pr : x) } }; y++; select (i : 0 .. x%3); progress6: x++ }
}
active proctype P1() { byte i;
  h = ((_pid + t.w[1]) - ((3 -> a[x%2] : 0) | 3)); { printf("x\n"); b = 1; select (i : 0 .. x%3) }; skip
}
