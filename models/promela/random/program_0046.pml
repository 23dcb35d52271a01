/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 351 states 1011 transitions; default 67 states 249 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
active [2] proctype P0() { byte i, j;
{ select (i : 0 .. 2);
skip }
}
active [2] proctype P1() { byte i, j;
goto end1;
select (i : 0 .. 2);
end1: y = 1 - y
}
