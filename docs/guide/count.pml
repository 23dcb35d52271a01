/* Clients count who waits, one after another. */
byte waits[4];
byte owner;		/* 0: nobody */

active [3] proctype client()
{
	byte i, n;

	do
	:: owner == 0 ->
	   owner = _pid;
	   n = 0;
	   i = 0;
	   do
	   :: i < 3 -> n = n + waits[i]; i++
	   :: else -> break
	   od;
	   waits[_pid] = (n == 0);
	   n = 0; i = 0;
	   owner = 0
	od
}
