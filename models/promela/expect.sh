#!/bin/bash
# Rewrites what spin says about the models here; spin 6.5 and gcc are needed.
#
#   ./expect.sh            every model's `expect:`, `claim:` and `progress:` lines
#   ./expect.sh a.pml ...  those of these models
#   ./expect.sh -b a.pml   the `bench:` lines of these models instead
#
# A line is `KIND: flags plain ...`; the flags (`-D N=3`, `-o6`) go to spin, and what follows
# `plain` is written anew. Each is measured twice: plain is spin with -o1 -o2 -o3, default is spin
# without these. The kinds differ in what pan is compiled for:
#   expect, bench  -DSAFETY -DNOCLAIM, run with -c0: assertions and invalid end states
#   claim          with the claim, run with -a -c0: acceptance cycles
#   progress       -DNP -DNOCLAIM, run with -l -c0: cycles without progress
# Models with priorities are measured with -DNOCOMP: without it pan takes some states of them for one
# (docs/theory/promela.md).
# Models in extended/ that spin cannot read have a twin, X_twin.pml, and its lines in their headers.
# A line that says `default not measured` (it is too large) keeps that. Partial-order reduction is always off. `2 errors` are pan's, as it counts them with -c0.
set -u
command -v spin >/dev/null && command -v gcc >/dev/null || { echo "spin and gcc are needed"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
kinds='expect|claim|progress'
[ "${1-}" = -b ] && { kinds=bench; shift; }
[ $# -gt 0 ] || set -- "$here"/*.pml "$here"/constructs/*.pml "$here"/random/*.pml "$here"/extended/*_twin.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure KIND FLAGS MODEL: sets $counts and $broken.
measure() {
	local gcc_flags run_flags depth=1000000
	case $1 in
	claim) gcc_flags= run_flags=-a ;;
	progress) gcc_flags='-DNP -DNOCLAIM' run_flags=-l ;;
	bench) gcc_flags='-DSAFETY -DNOCLAIM' run_flags= depth=20000000 ;;
	*) gcc_flags='-DSAFETY -DNOCLAIM' run_flags= ;;
	esac
	grep -qw 'priority\|_priority\|[gs]et_priority' "$3" && gcc_flags+=' -DNOCOMP'
	broken=
	# shellcheck disable=SC2086
	(cd "$work" && rm -f pan* && cp "$3" model.pml &&
		spin ${2//-D /-D} -a model.pml >said 2>&1 &&
		gcc -O1 -w -DVECTORSZ=4096 $gcc_flags -DNOREDUCE -o pan pan.c >>said 2>&1) ||
		{ counts=refused broken=refused; return; }
	(cd "$work" && ulimit -v 8000000 && timeout 300 ./pan -c0 -m$depth $run_flags) >"$work/out" 2>&1
	local status=$?
	counts=$(awk '/ states, stored/ { s = $1 } / transitions \(=/ { t = $1 }
		/errors: / { for (i = 1; i < NF; i++) if ($i == "errors:") e = $(i + 1) }
		/max search depth too small/ { deep = " (cut at the depth limit)" }
		END { if (s != "") print s " states " t " transitions" (e > 0 ? " " e " errors" : "") deep }
	' "$work/out")
	[ -n "$counts" ] || { counts="killed by status $status" broken=killed; return; }
	broken=$(sed -n 's/^pan:[0-9]*: \(.*\) (at depth.*/\1/p' "$work/out" |
		sed 's/^.*invalid array index.*/array index/; s/^assertion violated.*/assertion/
			s/^\(invalid end state\|acceptance cycle\|non-progress cycle\).*/\1/' | sort -u | paste -sd, | sed 's/,/, /g')
}

for model; do
	model=$(realpath "$model")
	while IFS= read -r line; do
		if [[ $line =~ ^(.*[^a-z]|)($kinds):\ (.*[^ ]\ )?plain([ ;]|$) ]]; then
			kind=${BASH_REMATCH[2]} flags=${BASH_REMATCH[3]}
			measure "$kind" "-o1 -o2 -o3 $flags" "$model"
			plain=$counts violated=$broken
			if [[ $line = *'default not measured'* ]]; then
				counts='not measured' broken=$violated
			else
				measure "$kind" "$flags" "$model"
			fi
			[ -z "$broken$violated" ] && verdict=holds || verdict="violated (${violated:-$broken})"
			[ "$broken" = "$violated" ] || verdict+=", by default (${broken:-none})"
			case $kind in expect | bench) what=safety ;; *) what=$kind ;; esac
			line="${BASH_REMATCH[1]}$kind: ${flags}plain $plain; default $counts; $what $verdict"
			echo "${model##*/}: ${line#"${BASH_REMATCH[1]}"}" >&2
		fi
		printf '%s\n' "$line"
	done <"$model" >"$work/new.pml"
	cmp -s "$work/new.pml" "$model" || cp "$work/new.pml" "$model"
done
