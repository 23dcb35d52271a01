/* Several syntax errors, each reported. */
init {
	x = ;
	skip skip;
	if fi;
	do :: skip;
	od;
	!full(c);
	goto 3;
	c ? x + 1
}
proctype ( ) { skip }
never { do :: od }

// error 3:6: an expression is expected here, not `;`
// error 4:7: `;` is expected here, not `skip`
// error 5:5: an option, `::`, is expected here, not `fi`
// error 8:3: `full`, `empty`, `nfull` and `nempty` may be joined by `&&` and `||` only
// error 9:7: a label is expected here, not `3`
// error 10:8: `;` is expected here, not `+`
// error 12:10: the name of a process is expected here, not `(`
// error 13:15: `od` is a keyword; an expression is expected here
