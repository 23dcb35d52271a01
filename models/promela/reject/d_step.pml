/* What cannot stand inside d_step: what others do may be asked for in assignments only. */
byte x;
active proctype q() {
	byte y;
here:	y = 1
}
init {
	d_step { x = q:y; x == q:y };
	d_step { assert(q[0]:y == 0); printf("%d", q:y) };
	d_step { q@here };
	printm(x)
}

// error 8:25: a variable of another process cannot stand in a `d_step`
// error 9:18: a variable of another process cannot stand in a `d_step`
// error 9:45: a variable of another process cannot stand in a `d_step`
// error 10:11: a question about a label cannot stand in a `d_step`
