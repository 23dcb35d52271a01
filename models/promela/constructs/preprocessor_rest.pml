/*
 * Macros with any number of arguments, and where a text says it is: __LINE__ and #line. The line of
 * a use over several lines is that of its name, as in a C preprocessor.
 *
 * expect: plain 189 states 347 transitions; default 189 states 347 transitions; safety holds
 */

#define RUN(p, ...)	run p(__VA_ARGS__)
#define SEND(c, first, rest...)	c!first, ## rest
#define BOTH(...)	FIRST(__VA_ARGS__, none) + SECOND(__VA_ARGS__, none)
#define FIRST(a, ...)	a
#define SECOND(a, b, ...)	b
#define HERE	__LINE__
#define PAIR(a, b)	(a + HERE)
#ifdef __LINE__
#define SEEN	1
#endif

chan one = [1] of { byte };
chan two = [1] of { byte, byte };
byte n;
short line[4];

proctype none_given()
{
	n++
}

proctype two_given(byte a, b)
{
	n = n + a + b
}

init {
	RUN(none_given);
	RUN(two_given, 2, (1 + 3));
	SEND(one, 1);
	SEND(two, 1, 7);
	n = BOTH(4, 5) - 9 + SEEN;
	line[0] = __LINE__;
#line 100 "elsewhere"
	line[1] = HERE;
	line[2] = PAIR(0,
		0);
# 7
	line[3] = __LINE__;
#if __LINE__ == 8
	assert(line[0] == 40 && line[1] == 100 && line[2] == 101 && line[3] == 7);
#endif
	assert(__LINE__ == 11)
}
