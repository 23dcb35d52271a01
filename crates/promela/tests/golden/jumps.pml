/* Jumps are followed, unless a label or an atomic block makes them a step. */
byte x;
active proctype P() {
again:	x = 1;
	goto on;
	x = 99;
on:	goto over;
over:	x = 2;
end_here: goto last;
progress_1: if :: x == 1 -> goto again :: x == 2 -> accept_x: x = 3 fi;
last:	skip
}
