/* Clients share a printer; the third one is in a hurry. */
mtype = { ask, done };
chan link[5] = [1] of { mtype };
byte served[5];

proctype client(chan own)
{
	do
	:: own!ask; own?done
	:: _pid == 3 -> own!ask; own?done
	od
}

proctype printer()
{
	do
	:: link[1]?ask -> served[1] = 1; link[1]!done; served[1] = 0
	:: link[2]?ask -> served[2] = 1; link[2]!done; served[2] = 0
	:: link[3]?ask -> served[3] = 1; link[3]!done; served[3] = 0
	:: link[4]?ask -> served[4] = 1; link[4]!done; served[4] = 0
	od
}

init
{
	atomic {
		run client(link[1]);
		run client(link[2]);
		run client(link[3]);
		run client(link[4]);
		run printer()
	}
}
