#define ENTER(i) flag[i] = true; turn = other
bool flag[2];
byte turn, small = 300;

active proctype left()
{
	ENTER(0);
	trun == 0
}

/* orbit: expect refused */
