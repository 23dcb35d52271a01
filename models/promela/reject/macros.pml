/* An error inside a macro, at the use. */
#define SET(v, e) v = e + missing
#define TWICE(v) SET(v, v); SET(v, 2)
byte x;
init {
	SET(x, 1);
	TWICE(x)
}

// error 6:2: `missing` is not declared
