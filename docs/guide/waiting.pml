/* Two processes, each with one fork in hand and waiting for the other's. */
chan left = [1] of { bit };
chan right = [1] of { bit };

active proctype A()
{
	left?1; right?1;
	left!1; right!1
}

active proctype B()
{
	right?1; left?1;
	right!1; left!1
}

init { left!1; right!1 }

/* orbit: expect violated deadlock */
