//! Protocols as engineers write them, and the group that each has.
//!
//! Three servers, caches or workers each. What is expected was worked out by hand; for models
//! without errors the orbits were compared with those of the state graph.

use super::{Model, prepare_if};
use crate::command::json;
use crate::counts::compile;
use crate::counts::symmetry::all_wrong;
use model::processes::passes::Setting;
use reduce::processes::certify::certify;
use reduce::processes::sort::{Sends, verify};

/// Makes three processes of one type.
const RUNS: &str = "init { atomic { run P(0); run P(1); run P(2) } }";

fn whole(text: &str) -> String {
    let runs = if text.contains("proctype P(byte") && !text.contains("init {") {
        RUNS
    } else {
        ""
    };
    format!("#define N 3\n{text}\n{runs}")
}

/// The order of the group if no send is taken to wait.
#[track_caller]
fn order(text: &str) -> String {
    let text = whole(text);
    let compiled = compile(&text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let model = prepare_if(&compiled, Setting::Best, Sends::Assumed).expect("a population");
    let Model {
        sorts,
        population,
        candidates,
        ..
    } = &model;
    assert_eq!(verify(sorts, population), Ok(()), "{text}");
    let certified = certify(sorts, population, candidates);
    assert_eq!(certified.rejected(), [], "{text}");
    certified.group().order().to_string()
}

/// The group has the order, and a search with it finds what one without finds.
#[track_caller]
fn has_order(text: &str, wanted: &str) {
    assert_eq!(order(text), wanted, "{text}");
    let compiled = compile(&whole(text), &[]).expect("it compiled before");
    let mut wrong = Vec::new();
    all_wrong(text, &compiled, &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A loop over ids in each of the ways in which people write it; `BODY` is its round.
const SPELLINGS: [&str; 14] = [
    "i = 0; do :: i == N -> break :: else -> BODY; i = i + 1 od",
    "i = 0; do :: i >= N -> break :: i < N -> BODY; i++ od",
    "i = 0; do :: i == N -> break :: i != N -> BODY; i++ od",
    "i = 0; do :: i < N -> BODY; i++ :: i >= N -> break od",
    "i = 0; do :: i < N -> BODY; i++ :: else -> break od",
    "i = 0; do :: else -> break :: i < N -> BODY; i++ od",
    "for (i : 0 .. N-1) { BODY }",
    "i = N; do :: i > 0 -> i--; BODY :: else -> break od",
    "i = N-1; do :: i == 255 -> break :: else -> BODY; i-- od",
    "i = 0; again: if :: i < N -> BODY; i++; goto again :: else fi",
    "i = 0; do :: BODY; i++; if :: i == N -> break :: else fi od",
    "i = 0; n = 0; do :: i < N -> BODY; i++ :: else -> break od",
    "do :: i < N -> BODY; i++ :: else -> i = 0; break od",
    "i = 0; do :: !(N > i) -> break :: else -> BODY; i++ od",
];

#[test]
fn a_loop_over_ids_is_known_by_what_it_does() {
    for spelling in SPELLINGS {
        for kind in ["atomic", "d_step"] {
            let rounds = spelling.replace("BODY", "flag[i] = 0");
            let text = format!(
                "bool flag[N]; byte holder = 255; byte n;
                 proctype P(byte me) {{ byte i; do
                 :: {kind} {{ holder == 255 -> holder = me; {rounds} }}
                 :: flag[me] == 0 -> flag[me] = 1
                 :: holder == me -> holder = 255
                 od }}"
            );
            assert_eq!(order(&text), "6", "{text}");
        }
        let rounds = spelling.replace("BODY", "if :: i != me -> c[i]!me :: else fi");
        let text = format!(
            "chan c[N] = [2] of {{ byte }}; bool told[N]; byte n;
             proctype P(byte me) {{ byte i, x; do
             :: atomic {{ !told[me] -> told[me] = 1; {rounds} }}
             :: c[me]?x -> assert(x != me)
             od }}"
        );
        assert_eq!(order(&text), "6", "{text}");
    }
}

#[test]
fn what_is_read_at_a_fixed_index_does_not_order_rounds() {
    assert_eq!(
        order(
            "chan c[N] = [4] of {byte,byte}; byte term[N];
         proctype P(byte me) { byte i, x, t;
         do
         :: atomic { term[me] < 1 -> term[me]++; for (i : 0 .. N-1) {
             c[i]!me,term[me] } }
         :: c[me]?x,t -> if :: t > term[me] -> term[me] = t :: else fi
         od }"
        ),
        "6"
    );
    has_order(
        "byte phase[4];
         active [3] proctype P() { byte i;
         do
         :: atomic { phase[_pid] == 0 -> phase[_pid] = 1; for (i : 0 .. 2) { if
             :: i != _pid -> assert(phase[i] <= phase[_pid]) :: else fi } }
         :: phase[_pid] = 0
         od }",
        "6",
    );
    has_order(
        "byte phase[N]; byte cnt;
         proctype P(byte me) { byte i;
         do
         :: atomic { cnt < N && phase[me] == 0 -> cnt++; phase[me] = 1; if
             :: cnt == N -> cnt = 0; for (i : 0 .. N-1) {
             assert(phase[i] == phase[me]); } for (i : 0 .. N-1) { phase[i] = 0 }
             :: else fi }
         od }",
        "6",
    );
}

#[test]
fn conditions_that_exclude_each_other_and_looks_before_sends_are_fine() {
    has_order(
        "chan c[N] = [2] of { byte }; bool told[N];
         proctype P(byte me) { byte i, x;
         do
         :: atomic { !told[me] -> told[me] = 1; for (i : 0 .. N-1) { if
             :: i == me -> skip :: i != me -> c[i]!me fi } }
         :: c[me]?x
         od }",
        "6",
    );
    has_order(
        "chan c[N] = [1] of { byte }; bool told[N];
         proctype P(byte me) { byte i, x;
         do
         :: atomic { !told[me] -> told[me] = 1; for (i : 0 .. N-1) { if
             :: full(c[i]) -> skip :: nfull(c[i]) -> c[i]!me fi } }
         :: c[me]?x -> told[me] = 0
         od }",
        "6",
    );
    has_order(
        "chan c[N] = [1] of { byte }; bool told[N];
         proctype P(byte me) { byte i, x;
         do
         :: atomic { !told[me] -> told[me] = 1; for (i : 0 .. N-1) { if
             :: i != me && len(c[i]) < 1 -> c[i]!me :: else fi } }
         :: c[me]?x -> told[me] = 0
         od }",
        "6",
    );
}

#[test]
fn folds_that_commute_are_sets() {
    has_order(
        "byte stored[N]; byte committed;
         proctype P(byte me) { byte i, n;
         do
         :: stored[me] < 2 -> stored[me]++
         :: atomic { n = 0; i = 0; do :: i == N -> break :: else -> if
             :: stored[i] > committed -> n++ :: else fi; i++ od; if :: n >= 2 ->
             committed++ :: else fi }
         od }",
        "6",
    );
    has_order(
        "byte v[N]; byte out[N];
         proctype P(byte me) { byte i, m;
         do
         :: v[me] < 2 -> v[me]++
         :: atomic { m = 0; for (i : 0 .. N-1) { if :: v[i] > m -> m = v[i]
             :: else fi }; out[me] = m }
         od }",
        "6",
    );
    has_order(
        "byte v[N]; byte out[N];
         proctype P(byte me) { byte i, m;
         do
         :: v[me] < 2 -> v[me]++
         :: atomic { m = 9; for (i : 0 .. N-1) { if :: v[i] < m -> m = v[i]
             :: else fi }; out[me] = m }
         od }",
        "6",
    );
}

#[test]
fn greatest_and_least_are_sets_as_one_expression() {
    has_order(
        "byte v[N]; byte out[N];
         proctype P(byte me) { byte i, m;
         do
         :: v[me] < 2 -> v[me]++
         :: atomic { m = 0; for (i : 0 .. N-1) { m = (v[i] >= m -> v[i] : m) };
             out[me] = m }
         od }",
        "6",
    );
    has_order(
        "byte v[N]; byte out[N];
         proctype P(byte me) { byte i, m;
         do
         :: v[me] < 2 -> v[me]++
         :: atomic { m = 9; for (i : 0 .. N-1) { m = (v[i] <= m -> v[i] : m) };
             out[me] = m }
         od }",
        "6",
    );
    has_order(
        "byte v[N]; byte out[N];
         proctype P(byte me) { byte i;
         do
         :: v[me] < 2 -> v[me]++
         :: atomic { out[me] = 0; for (i : 0 .. N-1) { out[me] = out[me] + v[i] } }
         od }",
        "6",
    );
    has_order(
        "bool ok[N]; bool res[N];
         proctype P(byte me) { byte i; bool a;
         do
         :: ok[me] = 1
         :: d_step { a = true; for (i : 0 .. N-1) { a = a && ok[i] }; res[me] = a }
         od }",
        "6",
    );
}

#[test]
fn an_id_that_is_chosen_is_any_id() {
    has_order(
        "bool f[N];
         proctype P(byte me) { byte x;
         do
         :: atomic { select (x : 0 .. N-1); f[x] = 1 }
         :: f[me] -> f[me] = 0
         od }",
        "6",
    );
    has_order(
        "bool f[N]; byte tgt[N] = 7;
         proctype P(byte me) { byte x;
         do
         :: atomic { select (x : 0 .. 2); x != me -> tgt[me] = x }
         :: tgt[me] != 7 -> f[tgt[me]] = 1
         od }",
        "6",
    );
    has_order(
        "bool f[N];
         proctype P(byte me) { byte x;
         do
         :: atomic { if :: x = 0 :: x = 1 :: x = 2 fi; f[x] = 1 }
         :: f[me] -> f[me] = 0
         od }",
        "6",
    );
}

#[test]
fn a_reset_of_a_dead_variable_names_nobody() {
    has_order(
        "byte lead[N] = 255; bool up[N];
         proctype P(byte me) { byte x;
         do
         :: !up[me] -> up[me] = 1; x = me; lead[x] = x; x = 0
         :: up[me] && lead[me] == me -> lead[me] = 255; up[me] = 0
         od }",
        "6",
    );
    has_order(
        "chan c[N] = [1] of { byte }; bool f[N];
         proctype P(byte me) { byte i, x;
         do
         :: atomic { !f[me] -> i = 0; do :: i < N -> f[i] = 1; i++ :: else ->
             break od; i = 0 }
         :: atomic { c[me]?i -> f[i] = 0; i = 0 }
         :: f[me] && nfull(c[me]) -> c[me]!me
         od }",
        "6",
    );
}

#[test]
fn rings_have_their_rotations() {
    has_order(
        "byte st[N];
         proctype P(byte id) {
         do
         :: st[id] == 0 -> st[id] = 1; assert(st[(id+1)%N] < 3)
         :: st[id] == 1 && st[(id+1)%N] != 2 -> st[id] = 2
         :: st[id] == 2 -> st[id] = 0
         od }",
        "3",
    );
    has_order(
        "byte tok = 255;
         proctype P(byte id) {
         do
         :: atomic { tok == 255 -> tok = id }
         :: atomic { tok != 255 && tok == id -> tok = (tok + 1) % N }
         :: atomic { tok == id -> tok = 255 }
         od }",
        "3",
    );
    has_order(
        "byte tok = N;
         proctype P(byte id) {
         do
         :: atomic { tok == N -> tok = id }
         :: atomic { tok != N && tok == id -> tok = (tok + 1) % N }
         :: atomic { tok == id -> tok = N }
         od }",
        "3",
    );
    has_order(
        "byte tok = 7;
         proctype P(byte id) {
         do
         :: atomic { tok == 7 -> tok = id }
         :: atomic { tok != 7 && tok == id -> tok = (tok + 1) % N }
         :: atomic { tok == id -> tok = 7 }
         od }",
        "3",
    );
    has_order(
        "byte tok = 255;
         proctype P(byte id) { byte x = 255;
         do
         :: atomic { tok == 255 -> tok = id }
         :: atomic { tok == id -> x = tok; tok = 255 }
         :: x != 255 -> atomic { tok == 255 -> tok = (x+1)%N; x = 255 }
         od }",
        "3",
    );
}

#[test]
fn rings_by_a_choice_have_their_rotations() {
    has_order(
        "byte tok;
         proctype P(byte id) {
         do
         :: tok == id -> tok = (tok == N-1 -> 0 : tok + 1)
         od }
         init { atomic { if :: tok = 0 :: tok = 1 :: tok = 2 fi; run P(0);
             run P(1); run P(2) } }",
        "3",
    );
    has_order(
        "byte tok; bool w[N];
         proctype P(byte id) {
         do
         :: atomic { tok == id -> if :: tok == N-1 -> tok = 0 :: else ->
             tok = tok + 1 fi }
         :: tok == id -> w[id] = 1 - w[id]
         od }
         init { atomic { if :: tok = 0 :: tok = 1 :: tok = 2 fi; run P(0);
             run P(1); run P(2) } }",
        "3",
    );
    has_order(
        "byte tok; bool w[N];
         proctype P(byte id) { byte nxt;
         if :: id == N-1 -> nxt = 0 :: else -> nxt = id + 1 fi;
         do
         :: tok == id -> w[id] = 1 - w[id]; tok = nxt
         od }
         init { atomic { if :: tok = 0 :: tok = 1 :: tok = 2 fi; run P(0);
             run P(1); run P(2) } }",
        "3",
    );
    has_order(
        "chan c[N] = [1] of { byte };
         proctype P(byte id) { byte x;
         do
         :: nfull(c[(id+1)%N]) -> c[(id+1)%N]!id
         :: c[id]?x
         od }",
        "3",
    );
    has_order(
        "int tok = -1;
         proctype P(byte id) {
         do
         :: atomic { tok == -1 -> tok = id }
         :: atomic { tok == id -> tok = (id + 1) % N }
         :: atomic { tok == id -> tok = -1 }
         od }",
        "3",
    );
}

#[test]
fn trees_and_cubes_have_their_symmetries() {
    has_order(
        "bool f[8];
         proctype P(byte id) {
         do
         :: id > 1 && f[id/2] -> f[id] = 1
         :: id == 1 -> f[id] = 1
         :: f[id] -> f[id] = 0
         od }
         init { atomic { run P(1); run P(2); run P(3); run P(4); run P(5);
             run P(6); run P(7) } }",
        "8",
    );
    assert_eq!(
        order(
            "bool f[8];
         proctype P(byte id) {
         do
         :: !f[id ^ 1] && !f[id ^ 2] && !f[id ^ 4] -> f[id] = 1
         :: f[id] -> f[id] = 0
         od }
         init { atomic { run P(0); run P(1); run P(2); run P(3); run P(4);
             run P(5); run P(6); run P(7) } }"
        ),
        "48"
    );
}

#[test]
fn rows_of_sends_and_equal_conditions_are_alike() {
    has_order(
        "chan c[N] = [3] of { byte }; bool told[N];
         proctype P(byte me) { byte x;
         do
         :: atomic { !told[me] -> told[me] = 1; c[0]!me; c[1]!me; c[2]!me }
         :: c[me]?x
         od }",
        "6",
    );
    has_order(
        "bool a, b;
         active proctype A() { do :: !(a && b) -> a = !a od }
         active proctype B() { do :: (!b || !a) -> b = !b od }",
        "2",
    );
    has_order(
        "byte x[2];
         proctype A() { do :: !(x[0] > 2) -> x[0]++ :: x[0] = 0 od }
         proctype B() { do :: x[1] <= 2 -> x[1]++ :: x[1] = 0 od }
         init { atomic { run A(); run B() } }",
        "2",
    );
}

#[test]
fn protocols_have_their_groups() {
    has_order(
        "mtype = { none, yes, no }; mtype vote[N]; mtype dec;
         proctype P(byte me) { do :: vote[me] == none -> if :: vote[me] = yes
             :: vote[me] = no fi :: dec != none -> break od; end: do :: false od }
         active proctype C() { byte i; byte n;
         atomic { (vote[0] != none && vote[1] != none && vote[2] != none) ->
             n = 0; i = 0; do :: i == N -> break :: else -> if
             :: vote[i] == yes -> n = n + 1 :: vote[i] != yes -> skip fi; i++ od;
         if :: n == N -> dec = yes :: else -> dec = no fi }
         end: do :: false od }",
        "6",
    );
    assert_eq!(
        order(
            "#define NOBODY 255
         byte term[N]; byte voted[N] = NOBODY; byte votes[N]; bool leader[N];
         chan c[N] = [4] of { byte, byte, byte };
         proctype P(byte me) { byte i, k, from, t;
         do
         :: atomic { !leader[me] && term[me] < 1 -> term[me] = term[me] + 1;
             voted[me] = me; votes[me] = 1;
         i = 0; do :: i == N -> break :: i != N -> if :: i == me -> skip
             :: else -> c[i]!1,me,term[me] fi; i++ od }
         :: atomic { c[me]?k,from,t ->
         if
             :: k == 1 && (t > term[me] ||
             (t == term[me] && (voted[me] == NOBODY || voted[me] == from))) ->
             term[me] = t; voted[me] = from; c[from]!2,me,t
         :: k == 2 && t == term[me] -> votes[me]++
         :: else fi; k = 0; from = 0; t = 0 }
         :: atomic { votes[me] >= 2 && !leader[me] -> leader[me] = true;
             for (i : 0 .. N-1) {
             assert(i == me || !leader[i] || term[i] != term[me]) } }
         od }"
        ),
        "6"
    );
    has_order(
        "byte owner = 255; byte time; byte exp;
         proctype P(byte me) {
         do
         :: atomic { owner == 255 || time >= exp -> owner = me; exp = time + 2 }
         :: atomic { owner == me && time < exp -> assert(owner == me) }
         od }
         active proctype T() { do :: time < 4 -> time++ :: time == 4 -> atomic {
             time = 0; exp = 0; owner = 255 } od }",
        "6",
    );
}

#[test]
fn caches_gossip_and_pools_have_their_groups() {
    has_order(
        "mtype = { I, S, M }; mtype st[N] = I;
         proctype P(byte me) { byte i;
         do
         :: d_step { st[me] == I -> i = 0; do :: i < N -> if :: st[i] == M ->
             st[i] = S :: else fi; i++ :: else -> break od; st[me] = S }
         :: d_step { st[me] != M -> i = 0; do :: i >= N -> break :: else -> if
             :: i != me -> st[i] = I :: i == me -> st[i] = M fi; i++ od }
         :: d_step { st[me] != I -> st[me] = I }
         :: d_step { st[me] == M -> i = 0; do :: i >= N -> break :: else ->
             assert(i == me || st[i] == I); i++ od; i = 0 }
         od }",
        "6",
    );
    assert_eq!(
        order(
            "bool knows[N]; chan c[N] = [1] of { byte };
         proctype P(byte me) { byte x, f;
         do
         :: knows[me] = true
         :: atomic { knows[me] -> select (x : 0 .. N-1); if
             :: x != me && nfull(c[x]) -> c[x]!me :: else fi; x = 0 }
         :: c[me]?f -> knows[me] = true
         od }"
        ),
        "6"
    );
    has_order(
        "chan jobs = [2] of { byte }; bool busy[N]; byte res[N];
         proctype P(byte me) { byte j;
         do
         :: atomic { jobs?j -> busy[me] = true; res[me] = j }
         :: busy[me] -> busy[me] = false; res[me] = 0
         od }
         active proctype boss() { byte i, n;
         do
         :: nfull(jobs) -> if :: jobs!1 :: jobs!2 fi
         :: atomic { n = 0; i = N; do :: i == 0 -> break :: else -> i--; if
             :: busy[i] -> n++ :: else fi od; assert(n <= N) }
         od }",
        "12",
    );
    assert_eq!(
        order(
            "byte val[N]; byte ts[N]; byte got[N];
         proctype P(byte me) { byte i, best, n;
         do
         :: atomic { ts[me] < 2 -> best = 0; for (i : 0 .. N-1) { if
             :: ts[i] > best -> best = ts[i] :: else fi } ; ts[me] = best + 1; if
             :: ts[me] > 2 -> ts[me] = 2 :: else fi }
         :: atomic { n = 0; for (i : 0 .. N-1) { if :: ts[i] >= ts[me] -> n++
             :: else fi }; got[me] = n }
         od }"
        ),
        "6"
    );
}

#[test]
fn what_tells_ids_apart_still_does() {
    has_order(
        "bool f[N];
         proctype P(byte me) { byte i;
         do
         :: atomic { for (i : 0 .. N-1) { if :: i < me -> f[i] = 1 :: else fi } }
         :: f[me] = 0
         od }",
        "1",
    );
    has_order(
        "bool f[N]; byte got = 9;
         proctype P(byte me) { byte i;
         do
         :: atomic { i = 0; do :: i < N -> if :: f[i] -> got = i; break
             :: else fi; i++ :: else -> break od }
         :: f[me] = 1 - f[me]
         od }",
        "1",
    );
    has_order(
        "byte f[N];
         proctype P(byte me) { byte i;
         do
         :: atomic { for (i : 0 .. N-1) { if :: i == 1 -> f[i] = 2 :: else ->
             f[i] = 1 fi } }
         :: f[me] == 2 -> f[me] = 0
         od }",
        "2",
    );
    has_order(
        "bool f[N]; byte lead = 1;
         proctype P(byte me) {
         do
         :: lead == me -> f[me] = 1;
         :: f[me] -> f[me] = 0; lead = me
         od }",
        "2",
    );
}

/// Two can have the flag, so that the last counts: that is seen when states are searched, and the
/// search begins again without.
#[test]
fn the_last_of_several_is_told_from_the_rest() {
    let text = whole(
        "bool f[N]; byte got = 9;
         proctype P(byte me) { byte i;
         do
         :: atomic { for (i : 0 .. N-1) { if :: f[i] -> got = i :: else fi } }
         :: got != me -> f[me] = 1 - f[me]
         od }",
    );
    let told = json("check - -E -e", text.as_bytes());
    assert_eq!(told["symmetry"]["group_order"], "1", "{text}");
    // With one flag at most, there is no last.
    let one = text.replace(
        "got != me -> f[me] = 1 - f[me]",
        "atomic { !f[0] && !f[1] && !f[2] -> f[me] = 1 }\n:: got == me -> f[me] = 0",
    );
    let told = json("check - -E -e", one.as_bytes());
    assert_eq!(told["symmetry"]["group_order"], "6", "{one}");
    for text in [text, one] {
        let compiled = compile(&text, &[]).expect("it compiles");
        let mut wrong = Vec::new();
        all_wrong(&text, &compiled, &mut wrong);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// A marker behind the holder, with an assertion or a guard that the holder is somebody.
const MARKED: &str = "
    byte holder = 255; bit mark[N];
    active [N] proctype P() { byte me = _pid;
    do
    :: atomic { holder == me -> holder = 255 }
    :: atomic { GUARD mark[(holder + 1) % N] = 1 - mark[(holder + 1) % N] }
    :: atomic { holder == 255 -> holder = me }
    od }";

#[test]
fn a_run_goes_on_behind_a_false_assertion() {
    has_order(&MARKED.replace("GUARD", "holder != 255 ->"), "6");
    // Behind a false assertion `(255 + 1) % 3` is 1, which is marked in its own way.
    has_order(&MARKED.replace("GUARD", "assert(holder != 255);"), "2");
}
