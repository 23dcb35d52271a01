/* Escapes, the inner and the outer ones. */
byte x, y;
active proctype P() {
	{ x = 1; x = 2 } unless { y == 1; x = 3 };
	{ x = 1; { x = 2; x = 3 } unless { y == 2 -> x = 4 }; x = 5 } unless { y == 3 };
	do :: x > 1 -> x-- :: else -> break od unless { if :: y == 4 :: y == 5 -> y = 0 fi };
named:	atomic { x = 1; x = 2 } unless { y == 6 };
	d_step { x = 1; x = 2 } unless { y == 7 };
	{ x = 1; goto named } unless { y == 8 -> goto named }
}
