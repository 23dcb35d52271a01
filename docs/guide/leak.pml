active [2] proctype client()
{
	ref server mine = anyRef(server);
	ref client peer;
	byte n;

	peer = 1;
	peer < _lid;
	n = _pid
}

active [2] proctype server() { skip }

/* orbit: expect refused */
