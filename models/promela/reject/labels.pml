/* Labels, jumps and loops. */
byte b;
init {
	skip;
L:	skip;
L:	skip;
b:	skip;
	goto nowhere;
	break;
	d_step { skip; goto L };
	do :: d_step { skip; break } od;
	if :: else :: else fi
}

// error 6:1: the label `L` is there twice
// error 7:1: `b` is declared already, so it is no label
// error 8:7: there is no label `nowhere`
// error 9:2: `break` stands outside of every loop
// error 10:22: a jump cannot enter or leave a `d_step`
// error 11:23: `break` cannot leave a `d_step`
// error 12:16: there can be one `else` only
