/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 1839 states 7795 transitions 1098 errors; default 1839 states 7795 transitions 1098 errors; safety violated (assertion)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
active [3] proctype P0() { byte i, j;
x--;
end1: do
:: x > 2;
assert(a[_pid] == 2);
b++
:: do
:: if
:: x = (a[x] -> y : 2);
break;
if
:: y = (a[1] -> (2 >> 2) : a[_pid])
:: atomic { x >= 1 -> a[1] = (a[1] + 1) % 3;
x++ };
x > 2
:: a[_pid] < 3 -> skip;
L2: break
fi
:: else -> skip;
y = 2
fi;
c!x;
b++
od
od
}
active proctype P1() { byte i, j;
if
:: atomic { else -> x++ }
:: y < 1 -> do
:: y > 0 -> if
:: if
:: goto L7;
x++;
end3: break
fi
fi;
progress4: atomic { i = 0;
do
:: i < 2 -> i++;
y++;
c!x
:: else -> break
od;
i = 0;
do
:: i < 2 -> i++;
assert(a[0] >= 2)
:: else -> break
od;
progress5: y = (a[_pid] * _pid) }
od
fi;
{ b = !b;
if
:: a[1] <= 3 -> a[_pid] > 2 || _pid < 2;
atomic { atomic { y != 2 || a[x] > 1;
L6: d?1,y;
c?x };
a[1] = 0;
L7: b = 0;
y = 1 }
:: do
:: atomic { break;
(x < 1 && x <= 3);
assert(b != 1);
accept8: d!3(x) };
L9: do
:: b = !b;
y++
:: atomic { (a[x] <= 1 && a[_pid] < 2) -> a[_pid]-- };
c?_;
b = !b
od;
L10: assert(b < 9)
od
fi };
b = !b;
x > 0
}
