/* for and select. */
typedef R { byte a; byte b };
byte x, list[3];
chan c = [4] of { R };
active proctype P() {
	byte i, j_k, top = 5;
	R m;
	for (i : 1 .. top) { x = i };
	for (i in list) { list[i] = i; if :: i == 1 -> break :: else fi };
	for (m in c) { x = m.a };
	for (m in c) { skip };
	select (i : 1 .. 3);
	select (i : 1 .. 50);
	select (i : 1 .. top);
	select (j_k : 1 .. 3)
}
