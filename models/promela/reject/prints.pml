/* What printm does not take. */
mtype = { red };
init {
	printm(red);
	printm(1)
}

// error 5:9: `printm` takes a variable or a name of an `mtype`
