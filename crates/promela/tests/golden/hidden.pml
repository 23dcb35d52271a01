/* A hidden variable that no state needs, and one that has to be kept. */
hidden byte h = 3;
hidden byte kept;
byte x;
active proctype P() {
	atomic { h = x; do :: h > 1 -> h-- :: else -> break od; x = h };
	d_step { h = 1; x = h + 1 };
	kept = x;
	x = kept
}
