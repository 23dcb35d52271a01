/* Accepted as SPIN accepts it, and odd: each oddity is announced here. */

byte small = 300;
byte two[2];
chan c = [1] of { byte, byte };
init {
	c!1;
	c!1000;
	two[2] = 1;
	if
	:: c?_,_
	:: else
	fi
}

// expect: plain 2 states 2 transitions 2 errors; default 2 states 2 transitions 2 errors; safety violated (invalid end state, too few parameters in send stmnt)

// warning 3:14: 300 does not fit; 44 is what is left of it
// warning 7:2: the messages of this channel have 2 fields, here are 1
// warning 8:2: the messages of this channel have 2 fields, here are 1
// warning 8:4: 1000 does not fit; 232 is what is left of it
// warning 9:6: the index 2 is outside of 0 to 1
// warning 12:5: `else` beside a send or receive: it is taken when no message can go
