//! Sorting beside the action and all elements of the group, over random states.
//!
//! The model is made by hand: `turn`, a reference; `flag[]`, over members; a matrix `seen` over
//! members twice, with a row and a place for 0, which is no member; processes with a
//! location, a number and a reference each, which does not matter at location 3; a channel each
//! with room for two messages of a number and a reference; and a channel that stays. In some
//! states a process came later, which refers to another.

use super::{Arrangement, Later, Sorting};
use crate::processes::act::{Act, Element, Fixed, Messages, Sent, Shape, Special};
use crate::processes::picture::Picture;
use crate::processes::points::{NONE, Points};
use crate::processes::sort::ClassId;
use crate::processes::structure::Bearer;
use fastrand::Rng;
use group::image::{Canoniser, Scratch};
use group::{Group, Perm, Point};
use model::processes::layout::{FieldId, Scalar};

/// How many processes there are.
const N: usize = 4;
/// Where records start: processes, then channels, then the channel that stays.
const PROCESS: usize = 1;
const CHANNEL: usize = 2;
const SEEN: usize = 2 + N;
const GLOBALS: usize = SEEN + (N + 1) * (N + 1);
const PROCESS_SIZE: usize = 4;
const CHANNEL_SIZE: usize = 6;

fn special(at: usize, class: Option<ClassId>, elements: Vec<Element>) -> Special {
    Special {
        field: FieldId::new(at),
        point: NONE,
        at,
        scalar: Scalar::U8,
        strides: vec![1],
        class,
        neutral: Vec::new(),
        elements,
    }
}

fn shape(size: usize, specials: Vec<Special>) -> Shape {
    Shape {
        size,
        is_channel: false,
        location: None,
        locations: None,
        specials,
        inert: Vec::new(),
        messages: Messages::default(),
    }
}

fn single(at: usize) -> Vec<Element> {
    vec![Element {
        at,
        moving: Vec::new(),
    }]
}

/// The matrix.
fn seen() -> Special {
    let elements = (0..(N + 1) * (N + 1)).map(|n| {
        let indices = [(0, n / (N + 1)), (1, n % (N + 1))].into_iter();
        let moving = indices.filter(|(_, index)| *index > 0);
        Element {
            at: SEEN + n,
            moving: moving.map(|(d, i)| (d, (N + i - 1) as Point)).collect(),
        }
    });
    Special {
        strides: vec![N + 1, 1],
        ..special(SEEN, None, elements.collect())
    }
}

/// Points 0 to N - 1 are the processes, then come members 1 to N, then channels.
fn act() -> Act {
    let class = ClassId::new(0);
    let members = (0..N).map(|i| Bearer::Member(class, i as i32 + 1));
    let bearers: Vec<Bearer> = (0..N)
        .map(|i| Bearer::Process(i as i32 + 1))
        .chain(members)
        .chain((0..N).map(|i| Bearer::Channel(i as i32 + 1)))
        .collect();
    let elements = (0..=N).map(|i| Element {
        at: 1 + i,
        moving: (i > 0)
            .then(|| (0, (N + i - 1) as Point))
            .into_iter()
            .collect(),
    });
    let globals = shape(
        GLOBALS,
        vec![
            special(0, Some(class), single(0)),
            special(1, None, elements.collect()),
            seen(),
        ],
    );
    let mut reference = special(3, Some(class), single(3));
    reference.neutral = vec![false, false, false, true];
    let process = Shape {
        location: Some(Scalar::U8),
        ..shape(PROCESS_SIZE, vec![reference])
    };
    let channel = Shape {
        is_channel: true,
        messages: Messages {
            size: 2,
            fields: vec![(1, Scalar::U8, Sent::Always(class))],
        },
        ..shape(CHANNEL_SIZE, Vec::new())
    };
    let process_at = |i: usize| GLOBALS + i * PROCESS_SIZE;
    let channel_at = |i: usize| process_at(N) + i * CHANNEL_SIZE;
    let stays = (channel_at(0), NONE);
    let mut records: Vec<Fixed> = (0..N)
        .map(|i| (PROCESS, process_at(i), i as Point))
        .chain([(CHANNEL, stays.0, stays.1)])
        .chain((0..N).map(|i| (CHANNEL, channel_at(i + 1), (2 * N + i) as Point)))
        .map(|(kind, at, point)| Fixed { kind, at, point })
        .collect();
    records.sort_by_key(|record| record.at);
    let points = Points::of_bearers(&bearers, 1);
    Act::of_shapes(points, vec![globals, process, channel], records)
}

/// The same with little in each column: nothing is seen, and channels have one message, without a
/// reference.
fn small_act() -> Act {
    let Act {
        points,
        mut shapes,
        records,
        ..
    } = act();
    shapes[0].specials.pop();
    shapes[CHANNEL].messages.fields.clear();
    shapes[CHANNEL].inert.push((4, CHANNEL_SIZE));
    Act::of_shapes(points, shapes, records)
}

/// The group made by these arrangements of the processes, each with its member and channel: by
/// process, where it goes.
fn group(arrangements: &[[usize; N]]) -> Group {
    let generator = |to: &[usize; N]| {
        let image = (0..3 * N).map(|x| (x / N * N + to[x % N]) as Point);
        Perm::from_bijection(image.collect())
    };
    Group::new(3 * N, arrangements.iter().map(generator).collect())
}

/// All arrangements.
fn all() -> Group {
    group(&[[1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2]])
}

/// Groups with fewer: a name, how many elements, how many of 500 states are not drawn at least.
fn others() -> Vec<(&'static str, Group, usize, usize)> {
    let (turn, mirror) = ([1, 2, 3, 0], [3, 2, 1, 0]);
    let (first, both) = ([1, 0, 2, 3], [2, 3, 0, 1]);
    vec![
        ("rotations", group(&[turn]), 4, 500),
        ("a square", group(&[turn, mirror]), 8, 500),
        (
            "two pairs and their exchange",
            group(&[first, both]),
            8,
            450,
        ),
        ("two pairs at once", group(&[[1, 0, 3, 2]]), 2, 500),
        (
            "two exchanges of pairs",
            group(&[[1, 0, 3, 2], both]),
            4,
            500,
        ),
        (
            "even arrangements",
            group(&[[1, 2, 0, 3], [0, 2, 3, 1]]),
            12,
            400,
        ),
    ]
}

fn sorting(act: &Act, group: &Group) -> Sorting {
    let canoniser = Canoniser::new(group);
    Sorting::new(act, &Picture::new(act), group, &canoniser).expect("columns that are alike")
}

/// A state with few different values, so that many columns are tied.
fn random_state(act: &Act, rng: &mut Rng) -> Vec<u8> {
    let (n_values, has_later) = (rng.u8(1..3), rng.bool());
    // References to nothing are common.
    let reference = |rng: &mut Rng| rng.u8(..=N as u8).saturating_sub(rng.u8(..3));
    let mut state = vec![0; GLOBALS + N * PROCESS_SIZE + (N + 1) * CHANNEL_SIZE];
    state[0] = reference(rng);
    state[1..SEEN].fill_with(|| rng.u8(..n_values));
    // Mostly little is seen.
    let n_seen = rng.u8(1..9);
    state[SEEN..GLOBALS].fill_with(|| u8::from(rng.u8(..16) < n_seen) * rng.u8(..n_values));
    let mut put = |state: &mut [u8], kind: usize, at: usize| {
        state[at] = kind as u8;
        if kind == PROCESS {
            state[at + 1] = 3 * rng.u8(..n_values);
            state[at + 2] = rng.u8(..n_values);
            state[at + 3] = reference(rng);
            return;
        }
        let n = rng.u8(..3).saturating_sub(rng.u8(..2));
        state[at + 1] = n;
        for message in state[at + 2..].chunks_exact_mut(2).take(usize::from(n)) {
            message.copy_from_slice(&[rng.u8(..n_values), reference(rng)]);
        }
    };
    for record in &act.records {
        put(&mut state, record.kind, record.at);
    }
    let end = state.len();
    if has_later {
        state.resize(end + PROCESS_SIZE, 0);
        put(&mut state, PROCESS, end);
    }
    state
}

/// How many of so many random states were sorted, or what is wrong: states of one orbit must be
/// sorted or not alike, and to one state, which the action makes of each.
///
/// A thing found is used for all of them, so that each state is read after many others.
fn compare(sorting: &Sorting, act: &Act, group: &Group, n_states: u64) -> Result<usize, String> {
    let (canoniser, mut scratch) = (Canoniser::new(group), Scratch::new());
    let mut found = Arrangement::default();
    let mut elements = Vec::new();
    group.chain().enumerate_images(&mut |image| {
        elements.push(image.to_vec());
        true
    });
    let mut n_sorted = 0;
    for seed in 0..n_states {
        let state = random_state(act, &mut Rng::with_seed(seed));
        let (mut expected, mut moved, mut element) = (None, Vec::new(), Vec::new());
        for image in &elements {
            act.apply(image, &state, &mut moved);
            let changes = sorting.follow(&moved, &mut found);
            let guide = (&canoniser, &mut scratch);
            let sorted = sorting
                .arrange(&moved, changes, guide, &mut found)
                .then(|| {
                    let mut out = moved.clone();
                    sorting.move_last(&found, &mut out);
                    sorting.element(&found, &mut element);
                    out
                });
            if let Some(out) = &sorted {
                let mut acted = Vec::new();
                act.apply(&element, &moved, &mut acted);
                if acted != *out {
                    return Err(format!(
                        "seed {seed}: the action makes {acted:?}, not {out:?}"
                    ));
                }
            }
            if expected.get_or_insert_with(|| sorted.clone()) != &sorted {
                return Err(format!(
                    "seed {seed}: {expected:?} and {sorted:?} of one orbit"
                ));
            }
        }
        n_sorted += usize::from(expected.flatten().is_some());
    }
    Ok(n_sorted)
}

#[test]
fn states_of_one_orbit_are_sorted_to_one_state() {
    let act = act();
    let n_sorted = compare(&sorting(&act, &all()), &act, &all(), 2000);
    let n_sorted = n_sorted.unwrap_or_else(|wrong| panic!("{wrong}"));
    // Some have symmetries other than exchanges of two columns, and are left to others.
    assert!((1200..2000).contains(&n_sorted), "{n_sorted} of 2000");
}

#[test]
fn columns_that_fit_into_their_keys_are_not_compared() {
    let act = small_act();
    let mut sorting = sorting(&act, &all());
    assert_eq!(sorting.packed, (1 << N) - 1);
    let n_sorted = compare(&sorting, &act, &all(), 2000);
    let n_sorted = n_sorted.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!((1200..2000).contains(&n_sorted), "{n_sorted} of 2000");
    // Without data in the keys, equal ones say nothing.
    forget_data(&mut sorting);
    assert!(sorting.passes_trial(&act));
    assert!(compare(&sorting, &act, &all(), 300).is_err());
}

fn forget_data(sorting: &mut Sorting) {
    for segment in &mut sorting.segments {
        (segment.words, segment.n_words) = (Vec::new(), 0);
    }
    sorting.readers.forget_data();
}

#[test]
fn columns_that_fit_into_their_keys_are_led_by_the_few_that_differ() {
    let act = small_act();
    for (name, group, ..) in others() {
        let mut sorting = sorting(&act, &group);
        let is_led = sorting.n_free < sorting.segments.len();
        assert_eq!(sorting.tree.is_some(), is_led, "{name}");
        if !is_led {
            continue;
        }
        let led = compare(&sorting, &act, &group, 300);
        let n_led = led.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let tree = sorting.tree.take();
        let without = compare(&sorting, &act, &group, 300);
        let n_without = without.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        assert!(n_led >= n_without, "{name}: {n_led}, not {n_without}");
        // Columns that are not alike and are taken to be.
        sorting.tree = tree;
        forget_data(&mut sorting);
        assert!(compare(&sorting, &act, &group, 300).is_err(), "{name}");
    }
    // Where more than keys tells columns apart, there is no tree.
    let act = self::act();
    for (name, group, ..) in others() {
        assert!(sorting(&act, &group).tree.is_none(), "{name}");
    }
}

/// How many of the states of random walks, a byte at a time, were sorted otherwise after the ones
/// before than alone; before each, `spoil` is done to what was found.
fn walk(sorting: &Sorting, act: &Act, group: &Group, spoil: fn(&mut Arrangement)) -> usize {
    let (canoniser, mut scratch) = (Canoniser::new(group), Scratch::new());
    let mut sorted = |state: &[u8], found: &mut Arrangement| {
        let changes = sorting.follow(state, found);
        let is_sorted = sorting.arrange(state, changes, (&canoniser, &mut scratch), found);
        let mut out = state.to_vec();
        sorting.move_last(found, &mut out);
        is_sorted.then_some(out)
    };
    let mut found = Arrangement::default();
    let mut n_wrong = 0;
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let (mut state, other) = (random_state(act, rng), random_state(act, rng));
        let len = state.len().min(other.len());
        state.truncate(len);
        for _ in 0..40 {
            let (at, process) = (rng.usize(..len), rng.usize(..N));
            // References change most: columns that were alike then have equal keys and differ.
            if rng.bool() {
                state[at] = other[at]
            } else {
                state[GLOBALS + process * PROCESS_SIZE + 3] = rng.u8(..=N as u8)
            }
            spoil(&mut found);
            let alone = sorted(&state, &mut Arrangement::default());
            n_wrong += usize::from(sorted(&state, &mut found) != alone);
        }
    }
    n_wrong
}

#[test]
fn states_are_sorted_after_others_as_alone() {
    for act in [act(), small_act()] {
        let mut groups: Vec<Group> = others().into_iter().map(|other| other.1).collect();
        groups.push(all());
        for group in groups {
            let sorting = sorting(&act, &group);
            assert_eq!(walk(&sorting, &act, &group, |_| {}), 0);
        }
        // Columns that are no longer alike, and are taken to be.
        let spoiled = walk(&sorting(&act, &all()), &act, &all(), |found| {
            found.alike.fill(u64::MAX);
        });
        assert!(spoiled > 0);
    }
}

#[test]
fn under_other_groups_keys_lead_states_of_one_orbit_to_one_state() {
    let act = act();
    for (name, group, order, n_least) in others() {
        assert_eq!(group.order(), order.into(), "{name}");
        let led = compare(&sorting(&act, &group), &act, &group, 500);
        let n_led = led.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        assert!(n_led >= n_least, "{name}: {n_led} of 500");
    }
}

/// What is wrong, and how a sorting is made so.
type Planted = (&'static str, fn(&mut Sorting));

/// Changes of a sorting that make it wrong.
fn faults() -> Vec<Planted> {
    vec![
        ("a span too short", |s| s.segments[0].spans[0].1 -= 1),
        ("no element of an array", |s| {
            s.segments[0].spans.retain(|span| span.1 > 1);
        }),
        ("a lane that leads elsewhere", |s| {
            let lane = s.segments[0].spans[0].0 as usize;
            s.lanes.swap(lane, lane + 1);
        }),
        ("a salt of its own", |s| {
            s.segments[0].words[0].salt ^= 0xff00
        }),
        ("a channel that is not looked at", |s| {
            (s.segments[0].queues, s.segments[0].n_queues) = (Vec::new(), 0);
        }),
        ("a reference that is not looked at", |s| {
            (s.segments[0].cells, s.segments[0].n_cells) = (Vec::new(), 0);
        }),
        ("what stays is not looked at", |s| s.stays.clear()),
        ("a matrix that is not looked at", |s| s.pairs.clear()),
        ("a matrix on its side", |s| {
            s.pairs[0].at.swap(1, N);
        }),
        ("a byte that no column is said to read", |s| {
            let at = s.segments[0].words[0].at as usize;
            s.readers.forget(at..at + 8);
        }),
        ("what stays is said to be read from nowhere", |s| {
            s.readers.forget(0..1);
        }),
        ("a matrix that is said to be read from nowhere", |s| {
            s.readers.forget(SEEN..GLOBALS);
        }),
        ("no location at which a reference does not matter", |s| {
            s.neutral.iter_mut().for_each(|list| list.fill(false));
        }),
    ]
}

#[test]
fn planted_faults_are_found_by_the_trial_and_by_comparison() {
    let act = act();
    assert!(sorting(&act, &all()).passes_trial(&act));
    for (fault, plant) in faults() {
        let mut wrong = sorting(&act, &all());
        plant(&mut wrong);
        assert!(!wrong.passes_trial(&act), "{fault}");
        assert!(compare(&wrong, &act, &all(), 300).is_err(), "{fault}");
    }
}

#[test]
fn what_the_trial_cannot_see_is_found_by_comparison() {
    let act = act();
    // Data that move but are not compared, and references of what came later.
    let faults: [Planted; 2] = [
        ("no words", |s| {
            (s.segments[0].words, s.segments[0].n_words) = (Vec::new(), 0);
            s.readers.forget_data();
        }),
        ("nothing later", |s| s.later.fill(Later::Known(Vec::new()))),
    ];
    for (fault, plant) in faults {
        let mut wrong = sorting(&act, &all());
        plant(&mut wrong);
        assert!(wrong.passes_trial(&act), "{fault}");
        assert!(compare(&wrong, &act, &all(), 300).is_err(), "{fault}");
    }
}

#[test]
fn columns_are_told_apart_by_references_to_them() {
    let act = act();
    let sorting = sorting(&act, &all());
    let (canoniser, mut scratch) = (Canoniser::new(&all()), Scratch::new());
    let mut found = Arrangement::default();
    let mut arrange = |state: &[u8], found: &mut Arrangement| {
        let changes = sorting.follow(state, found);
        sorting.arrange(state, changes, (&canoniser, &mut scratch), found)
    };
    let mut state = random_state(&act, &mut Rng::with_seed(0));
    state.truncate(sorting.end);
    for record in &act.records {
        state[record.at + 1..][..3].fill(0);
    }
    state[..GLOBALS].fill(0);
    // All alike: every order is right, and the one that is there is taken.
    assert!(arrange(&state, &mut found));
    assert_eq!(found.moved, 0);
    assert_eq!((found.named, found.referred, found.owners), (0, 0, 0));
    // The turn of the third; it refers to the first, and that to itself.
    state[0] = 3;
    state[GLOBALS + 2 * PROCESS_SIZE + 3] = 1;
    state[GLOBALS + 3] = 1;
    assert!(arrange(&state, &mut found));
    assert_eq!((found.named, found.referred), (0b100, 0b001));
    let targets = |column: usize| found.refs[column].iter().map(|r| r.to).collect::<Vec<_>>();
    assert_eq!((targets(0), targets(2)), (vec![0], vec![0]));
    assert_eq!((found.owners, found.shared[0].to), (0b101, 2));
}
