/* What choices and loops leave as steps. */
byte x;
active proctype nested() {
	if
	:: if :: x == 1 :: x == 2 -> x = 3 fi
	:: { x == 4; x = 5 }
	:: else -> x = 6
	fi;
	do
	:: x < 3 -> x++
	:: else -> break
	od
}
active proctype pruned() {
	if
	:: skip; skip; skip; x = 1
	:: false -> x = 2
	:: printf("%d %%\n", x); skip; x = 3
	fi;
	do :: x > 1 -> x-- :: x == 1 -> break :: false -> skip od
}
