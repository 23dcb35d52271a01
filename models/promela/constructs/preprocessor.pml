/*
 * `##` pastes, `#line` renumbers, `#undef`, `#if`, and a macro with a statement in it.
 *
 * expect: plain 5 states 5 transitions; default 5 states 5 transitions; safety holds
 */

#define NAME(a, b) a ## b
#define ADD(x, n) x = x + n
#define SIZE 3
#if SIZE > 2 && defined(ADD)
#define EXTRA 4
#else
#define EXTRA 5
#endif
#undef SIZE
#define SIZE 2

byte NAME(va, lue)[SIZE] = EXTRA;

active proctype p()
{
#line 100 "elsewhere"
	ADD(value[0], 2);
	NAME(va, lue)[1] = SIZE;
	assert(value[0] == 6 && value[1] == 2)
}
