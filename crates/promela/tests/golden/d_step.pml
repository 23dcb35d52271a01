/* What is inside a d_step, and around it. */
byte x, y;
active proctype P() {
	d_step { x = 1; y = 2 };
	atomic { x = 0; d_step { y = 0; x = 3 }; y = 4 };
	do
	:: d_step { x > 0 -> x = x - 1; if :: y > 1 -> y = 0 :: else -> y = 1 fi; y++ }
	:: d_step { else -> goto over; y = 9; over: y = 5 }
	:: x == 7 -> break
	od;
	skip;
	d_step { do :: x < 5 -> x++; { y = x; y = y + 1 } :: else -> break od }
}
