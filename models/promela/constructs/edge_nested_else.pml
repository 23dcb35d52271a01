/*
 * `else` belongs to its own choice; a choice inside the guard of another brings its alternatives
 * along.
 *
 * expect: plain 35 states 46 transitions 2 errors; default 35 states 46 transitions 2 errors; safety violated (assertion)
 */

byte x;

active proctype p()
{
	if
	:: if
	   :: x == 1 -> x = 10
	   :: else -> x = 20
	   fi
	:: x == 0 -> x = 30
	fi;
	assert(x == 10 || x == 20 || x == 30)
}

active proctype q()
{
	x = 1
}
