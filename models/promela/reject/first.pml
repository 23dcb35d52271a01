/* Labels where SPIN allows none. */
init {
	atomic { A: skip };
	{ B: skip };
	d_step { C: skip };
	D: skip unless { skip };
	{ skip } unless E: skip;
F:	byte y;
	skip
}

// error 3:11: an `atomic` block cannot begin with the label `A`
// error 4:4: a block cannot begin with the label `B`
// error 5:11: a `d_step` block cannot begin with the label `C`
// error 6:2: a label cannot stand in an `unless`
// error 7:18: a label cannot stand before the escape of an `unless`
// error 8:1: a label cannot stand before a declaration
