/* Workers that hand a lock to the one who waits behind them. */
#ifndef N
#define N 3
#endif

ref worker last;

active [N] proctype worker()
{
	public ref worker next;
	public bool waits;
	ref worker before;

	do
	:: atomic { before = last; last = _lid };
	   if
	   :: before == _undef_ref
	   :: else ->
		waits = true;
		worker[before].next = _lid;
		!waits
	   fi;
	   before = _undef_ref;
	   if
	   :: next != _undef_ref ->
		worker[next].waits = false;
		next = _undef_ref
	   :: atomic { next == _undef_ref && last == _lid -> last = _undef_ref }
	   fi
	od
}
