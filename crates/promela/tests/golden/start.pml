/* First values, and which declarations are steps. */
typedef Inner { byte v = 7; bit w[2] };
typedef Plain { byte v = 8; bit w };
typedef Outer { Inner in[2]; unsigned u : 3 };
Outer o, os[2];
int n = 5;
chan late = [1] of { byte };
bool b = true;
short list[4] = { 1, 2 };
byte all[3] = 9;
chan early[2] = [2] of { bit };
proctype P(byte a; Plain i) {
	byte first = a + 1;
	chan mine = [1] of { byte };
	skip;
	byte second = first;
	byte third;
	byte fourth[2] = 4;
	{ Inner fifth; fifth.w[1] = o.in[1].w[0] }
}
active [2] proctype Q() priority 3 { os[_pid].in[n].v = _priority; set_priority(0, 2); _ = n }
init { byte p; Plain i; p = run P(1, i) priority 4; run Q() }
