//! Exchanges of values do to events what exchanging the words in their names does.

use cspm::alike::{Alike, Family};
use cspm::eval::Script;
use cspm::process::{Event, Terms};

use crate::script::script;

const TEXT: &str = "
datatype Colour = red | green | blue
channel c : {0..3}.{0..3}
channel d : Colour.{0..3}
channel e : {1..3}.Colour
channel f : {0..4}
";

/// The name of an event with two members exchanged, where the family has them. Names of sorts are
/// `field 1 of c, field 2 of c`, or the name of a datatype.
fn exchanged(name: &str, family: &Family, i: usize, j: usize) -> String {
    let (a, b) = (&family.members[i], &family.members[j]);
    let channel = name.split('.').next().expect("a channel");
    let words = name.split('.').enumerate().map(|(at, word)| {
        let is_there = if family.name.contains("field") {
            let place = format!("field {at} of {channel}");
            family.name.split(", ").any(|held| held == place)
        } else {
            word.parse::<i64>().is_err()
        };
        match () {
            () if is_there && word == a => b.clone(),
            () if is_there && word == b => a.clone(),
            () => word.to_owned(),
        }
    });
    words.collect::<Vec<String>>().join(".")
}

#[test]
fn exchanges_of_values_are_those_of_words_in_names_of_events() {
    let mut terms = Terms::default();
    let mut script = Script::load(&script(TEXT)).expect("a script");
    script.all_events(&mut terms).expect("events");
    let n_events = script.n_events();
    let names = (0..n_events).map(|n| script.event_name(Event::new(n)));
    let names: Vec<String> = names.collect();
    let alike = Alike::new(&script, n_events);
    let (mut n_exchanges, mut n_held, mut n_kept) = (0, 0, 0);
    // Sorts that are moved together are made of sorts.
    let single = alike
        .families()
        .iter()
        .filter(|f| !f.name.contains(" with "));
    for family in single {
        for (i, j) in alike.pairs(family) {
            let name = alike.exchange_name(family, i, j);
            let images: Vec<String> = (names.iter())
                .map(|event| exchanged(event, family, i, j))
                .collect();
            let is_moved = |event: usize| images[event] != names[event];
            let image = |event: usize| names.iter().position(|name| *name == images[event]);
            let expected: Option<Vec<u32>> = (0..n_events)
                .map(|event| image(event).map(|image| image as u32))
                .collect();
            let found = alike.exchange(family, i, j, &|_| true);
            n_exchanges += usize::from(found.is_some());
            let told = format!("{name} in {}", family.name);
            assert_eq!(found, expected.map(|events| (name, events)), "{told}");
            for used in 0..n_events as u32 {
                let is_held = alike.is_held(family, i, j, &|event| event == used);
                assert_eq!(
                    is_held,
                    is_moved(used as usize),
                    "{told}: {}",
                    names[used as usize]
                );
                n_held += usize::from(is_held);
                // A single event of an alphabet has to stay.
                let kept = alike.exchange(family, i, j, &|event| event == used);
                let is_kept = found.is_some() && !is_held;
                assert_eq!(kept.is_some(), is_kept, "{told}: {}", names[used as usize]);
                n_kept += usize::from(is_kept);
            }
        }
    }
    assert!(
        n_exchanges > 40 && n_held > 200 && n_kept > 1000,
        "{n_exchanges} {n_held} {n_kept}"
    );
}
