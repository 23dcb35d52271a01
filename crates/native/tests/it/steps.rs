//! Constructs that are compiled: the interpreter is not asked about them.

use crate::both::search_text;
use model::processes::passes::Setting;

/// Searches a text both ways. So often the interpreter may be asked.
#[track_caller]
fn compiled(text: &str, asked_max: u64) {
    for setting in [Setting::Plain, Setting::Best] {
        let seen = search_text(text, setting, 2_000);
        assert!(seen.n_steps > 0 && seen.n_moves > 0, "{seen:?}: {text}");
        assert!(seen.n_asked <= asked_max, "{setting:?} {seen:?}: {text}");
    }
}

#[test]
fn assignments_of_all_widths_are_compiled() {
    compiled(
        "bit b; byte y; short s; int i; unsigned u : 5; unsigned w : 13;
         active proctype p() { do :: b++ ; y = y - 1; s = s - 7000; i = i * 3 - 1; u = i; w = i
         :: i % 7 == 2 -> i = (i << 3) ^ (i >> 1) od }",
        0,
    );
}

#[test]
fn arrays_are_compiled() {
    compiled(
        "byte a[4]; short s[3]; typedef R { byte k; int v[2] }; R r[2]; byte n;
         active proctype p() { do :: a[n % 4] = a[(n + 1) % 4] + 1; n = (n + 1) % 12;
         s[n % 3] = n - 6; r[n % 2].v[s[0] + 8 & 1] = n od }",
        0,
    );
}

#[test]
fn an_index_out_of_range_is_asked_about() {
    let text = "byte a[2], n; active proctype p() { do :: a[n] = 1; n++ :: n > 3 -> break od }";
    let seen = search_text(text, Setting::Plain, 100);
    assert!(seen.n_asked > 0 && seen.n_steps > 0, "{seen:?}");
}

#[test]
fn escapes_else_and_timeouts_are_compiled() {
    compiled(
        "byte x; active proctype p() { do :: x < 3 -> x++ :: else -> x = 0 od unless { x == 2 };
           timeout -> x = 9 }
         active proctype q() { do :: x == 1 -> x = 2 :: timeout -> x = 0 od }",
        0,
    );
}

#[test]
fn buffers_are_compiled() {
    compiled(
        "chan c = [3] of { byte, short }; chan d[2] = [2] of { bit }; byte x; short y;
         active proctype p() { do :: c!x, y - 300 :: d[x % 2]!x; x = (x + 1) % 3 od }
         active proctype q() { do :: c?x, y :: c?1, y :: c??2, _ :: c?<x, y> :: d[0]?x
           :: d[1]?1 :: len(c) > 1 -> x = len(c) :: c?[2, y] -> x = 0 :: nfull(d[0]) -> x = 1
           :: c??<eval(x), y> od }",
        0,
    );
}

#[test]
fn wide_messages_are_compiled() {
    compiled(
        "chan c = [40] of { int, byte, int }; byte n;
         active proctype p() { do :: n < 6 -> c!n * 100000, n, -n; n++ od }
         active proctype q() { int a, b; do :: c??300000, _, a :: c?a, 2, b :: c?a, _, _ od }",
        0,
    );
}

#[test]
fn rendezvous_is_compiled() {
    compiled(
        "chan c = [0] of { byte, byte }; chan d = [0] of { byte }; byte x;
         active [2] proctype p() { do :: c!x, _pid :: d!1 :: x < 3 -> x++ od }
         active [2] proctype q() { byte y; do :: c?y, _ :: c?2, y :: d?y -> x = y od }",
        0,
    );
}

#[test]
fn rendezvous_inside_atomic_is_compiled() {
    compiled(
        "chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
         active proctype p() { do :: atomic { x < 4 -> x++; c!x; x = 2 } od }
         active [2] proctype q() { byte y; do :: atomic { c?y; d!y; x = y } od }
         active [2] proctype r() { byte y; do :: d?y od }",
        0,
    );
}

#[test]
fn chains_are_compiled() {
    compiled(
        "byte x, y; active [2] proctype p() { do
         :: atomic { x < 3 -> if :: y = 1 :: y = 2 :: y == 2 -> y = 3 fi; x = x + y; y == 2; x = 0 }
         :: atomic { x > 2 -> x = 0; y = 0 } od }",
        0,
    );
}

#[test]
fn deterministic_blocks_are_compiled() {
    compiled(
        "byte x, i; byte a[4]; active [2] proctype p() { do
         :: d_step { x < 3 -> i = 0; do :: i < 4 -> a[i] = a[i] + x; i++ :: else -> break od; x++ }
         :: d_step { x >= 3 -> x = 0; if :: a[0] > 4 -> a[0] = 0 :: else fi } od }",
        0,
    );
}

#[test]
fn ends_are_compiled_and_only_processes_that_are_made_are_asked_about() {
    compiled(
        "byte x; proctype p(byte k) { x = x + k; x = x - k }
         init { atomic { run p(1); run p(2); run p(3) }; x == 0 -> x = 9 }",
        6,
    );
}

#[test]
fn loops_in_atomic_are_compiled() {
    compiled(
        "byte a[3], n; chan c[3] = [1] of { byte };
         active [2] proctype p() { byte i, k;
           do :: atomic { i = 0; k = 0; do :: i < 3 -> if :: a[i] < 2 -> a[i]++ :: k++ fi; i++
                 :: else -> break od; n = k }
           :: atomic { i = 3; do :: i > 0 -> i--; c[i]!i :: else -> break od }
           :: atomic { c[n % 3]?k -> n = 0 } od }",
        0,
    );
}

#[test]
fn a_loop_that_repeats_a_state_is_asked_about_with_all_that_come_after_it() {
    // The first process to be tried goes round for ever. In the others chains lead to equal states,
    // which the interpreter merges once a state has been repeated.
    let text = "bit x; byte y, z;
         active [2] proctype merges() { byte n;
           do :: atomic { n = 0; do :: n < 3 -> if :: y = n :: y = n; skip :: skip fi; n++
                 :: else -> break od } od }
         active proctype round() { do :: atomic { do :: x = 1 - x :: z = z ^ 1 :: break od } od }";
    let seen = search_text(text, Setting::Plain, 300);
    assert!(seen.n_asked > 0 && seen.n_steps > 0, "{seen:?}");
    let quiet = text.replace("active proctype round", "proctype round");
    compiled(&quiet, 0);
}

#[test]
fn a_loop_goes_through_states_that_differ_in_the_last_byte_alone() {
    compiled(
        "byte pad[23]; byte last;
         active proctype p() { do :: atomic { last = 0;
           do :: last < 40 -> last++ :: last == 7 -> break :: else -> break od } od }",
        0,
    );
}
