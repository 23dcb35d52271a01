/*
 * Two-phase commit: N resource managers and a transaction manager agree to commit or to abort.
 * Messages that were sent stay, so that the network is a set of bits; each rule is one step.
 * After the specification of L. Lamport and J. Gray, "Consensus on transaction commit" (2004).
 *
 * symmetry: S_N on the resource managers
 *
 * expect: -D N=2 plain 56 states 106 transitions; default 56 states 106 transitions; safety holds
 * expect: -D N=5 plain 8832 states 37346 transitions; default 8832 states 37346 transitions; safety holds
 * bench: -D N=8 plain 1745408 states 11657218 transitions; default 1745408 states 11657218 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

#define WORKING   0
#define PREPARED  1
#define COMMITTED 2
#define ABORTED   3

byte state[N];
bool sent_prepared[N];		/* messages to the transaction manager */
bool seen_prepared[N];		/* those of which it has taken note */
bool sent_commit, sent_abort;
bool decided;
byte n_seen, n_committed, n_aborted;

active [N] proctype resource()
{
end:	do
	:: d_step { state[_pid] == WORKING ->
		state[_pid] = PREPARED; sent_prepared[_pid] = true }
	:: d_step { state[_pid] == WORKING ->
		state[_pid] = ABORTED; n_aborted++ }
	:: d_step { state[_pid] == PREPARED && sent_commit ->
		state[_pid] = COMMITTED; n_committed++; assert(n_aborted == 0) }
	:: d_step { state[_pid] < COMMITTED && sent_abort ->
		state[_pid] = ABORTED; n_aborted++; assert(n_committed == 0) }
	:: d_step { !decided && sent_prepared[_pid] && !seen_prepared[_pid] ->
		seen_prepared[_pid] = true; n_seen++ }	/* the manager takes note of it */
	od
}

active proctype manager()
{
end:	do
	:: d_step { !decided && n_seen == N -> decided = true; sent_commit = true }
	:: d_step { !decided -> decided = true; sent_abort = true }
	od
}
