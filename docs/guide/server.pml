/* A server hands out a key over channels, and forgets that it gave the key away. */
chan request = [2] of { byte };
chan grant[2] = [1] of { bool };
byte inside;

active [2] proctype client()
{
	do
	:: request ! _pid;
	   grant[_pid] ? true;
	   inside++;
	   assert(inside == 1);
	   inside--
	od
}

active proctype server()
{
	byte who;

	do
	:: request ? who;
	   grant[who] ! true
	od
}

/* orbit: expect violated assertions states=26 */
