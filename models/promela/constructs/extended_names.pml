/*
 * The words of references and scalarsets as ordinary names: SPIN knows none of them.
 *
 * expect: plain 16 states 16 transitions; default 16 states 16 transitions; safety holds
 */

mtype = { anyRef, _undef_ref };
typedef ref { byte public };
typedef scalarset { byte cell[2] };
ref r, one;
scalarset PID[3];
scalarset a, b;
byte public = 2, _lid = 1;
chan c = [2] of { mtype, byte };
chan refs = [1] of { ref, ref };

inline scalar(x) { x = x + 1 }

active proctype client()
{
	byte _state = 3;
	byte ref_count;
	ref mine;

	r.public = public;
	PID[1].cell[0] = _lid;
	c!anyRef(public);
	c?anyRef(mine.public);
	assert(mine.public == 2);
	scalar(_lid);
	public = _state + ref_count;
	refs!r, mine;
	refs?one, mine;
	c!_undef_ref(1);
	if
	:: _lid == 2 -> c?_undef_ref, _
	:: public
	fi
}
