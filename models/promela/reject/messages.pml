/* Messages. */
chan c = [1] of { byte, byte };
chan d = [1] of { unsigned };
chan e = [1] of { nothing };
chan f = [-1] of { byte };
byte x;
proctype P() { skip }
init {
	c!1,2,3;
	c?x,x;
	x!1;
	c!run P();
	c = 3;
	c++;
	c?_pid, x;
	skip;
	chan late = [1] of { byte };
	full(x)
}

// error 3:19: `unsigned` cannot be the type of a field of a message
// error 4:19: there is no type `nothing` before this
// error 5:11: a channel cannot hold -1 messages
// error 9:2: no channel of this model carries 3 fields; the most is 2
// error 10:6: `x` cannot get two fields of a message
// error 11:2: `x` is used as a channel, but it is none
// error 12:4: `run` cannot be a field of a message
// error 13:6: a channel cannot be set to a number
// error 14:2: a channel cannot be counted up or down
// error 15:4: `_pid` cannot be received into
// error 17:7: the channel `late` is made after the first statement
// error 18:7: `x` is used as a channel, but it is none
