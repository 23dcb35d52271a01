/*
 * `provided` holds back the death of a process, and so the deaths of those older than it.
 *
 * expect: plain 4 states 5 transitions; default 4 states 5 transitions; safety holds
 */

bool go;

active proctype older()
{
	skip
}

active proctype younger() provided (!go)
{
	go = true
}
