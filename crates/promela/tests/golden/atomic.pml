/* Where control is kept. */
byte x;
chan r = [0] of { byte };
active proctype P() {
	atomic { x = 1; x = 2; x = 3 };
	atomic { x = 1; if :: x == 1 -> x = 2 :: else fi };
	atomic { x = 1; atomic { x = 2; x = 3 } };
	atomic { x = 1; do :: x < 3 -> x++ :: else -> break od };
	atomic { x = 1; goto out };
	x = 4;
out:	atomic { r!1; x = 5 };
	do :: atomic { x == 1 -> x = 2 } :: x == 2 -> break od
}
