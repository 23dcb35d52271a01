/* Arrays, sizes and records. */
typedef R { byte f; byte g[2] };
byte a[3], s, zero[0], minus[-1], bits[1 << 2], huge[100000000], list = { 1, 2 };
R r, many[2];
chan c[s] = [s] of { byte };
init {
	a = 1;
	s[0] = 1;
	r = 1;
	r.g = 1;
	r.h = 1;
	many.f = 1;
	many[1].f = 2;
	a[a[0]] = 1;
	for (a[0] : 1 .. 2) { skip }
}

// error 3:20: an array has at least one element, not 0
// error 3:30: an array has at least one element, not -1
// error 3:40: a constant here is made by `+`, `-`, `*`, `/` and `%` only
// error 3:49: `huge` holds 100000000 values, which is too many
// error 3:73: `list` is no array, so it has no list
// error 5:14: a constant is needed here; `s` is none
// error 7:2: the array `a` needs an index
// error 8:2: `s` is no array, so it has no index
// error 9:2: this is a whole record; one of its fields is needed
// error 10:4: the array `g` needs an index
// error 11:4: `R` has no field `h`
// error 12:2: the array `many` needs an index
// error 14:4: an array that is assigned to cannot be indexed by itself
// error 15:7: a plain variable is needed to count with
// warning 5:8: a variable stands for a constant here: `s` counts as 8
