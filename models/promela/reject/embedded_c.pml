/* Embedded C is named where it stands. */
c_decl { typedef int number; };
c_state "number n" "Global"
init {
	c_code { now.n = 'x'; };
	c_expr { now.n > 0 } -> skip
}

// error 2:1: embedded C (`c_decl`) is not part of what orbit checks
// error 3:1: embedded C (`c_state`) is not part of what orbit checks
// error 5:2: embedded C (`c_code`) is not part of what orbit checks
// error 6:2: embedded C (`c_expr`) is not part of what orbit checks
