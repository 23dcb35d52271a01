//! Why symmetry is not used, or not in some way, in words. What the reasons are is data of the
//! crates that find them.

use check::StopReason;
use reduce::network::{
    ChoiceReason, ComponentPair, MovedState, NetworkPart, NoRepresentatives, NoSymmetry,
    OperatorSet, PartMismatch, SetChange, SpecificationChange,
};
use reduce::processes::partial::{NotPartial, Watcher};
use reduce::strategy::{Listed, Misfit};
use reduce::values::ApartReason;

/// Why it is not known how many states there are without symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uncounted {
    /// An orbit may have no representative.
    MissedOrbits,
    /// An orbit of pairs may have several representatives.
    SeveralPairs,
    /// Some orbits are not reached as a whole, since symmetries do not keep the start.
    StartMoves,
    /// Some orbits are not reached as a whole, since processes are made while others move.
    Interleaved,
    /// Not every state was seen.
    NotAllSeen,
    /// Not every pair was seen.
    Unfinished,
    /// A limit came before all orbits were added up.
    Over(OverAt),
}

/// A limit that came first, and how far the work had come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverAt {
    /// Which.
    pub reason: StopReason,
    /// How many states were done.
    pub n_done: usize,
    /// Of how many.
    pub n_all: usize,
}

/// A limit that came first, and how far the work had come, in words.
pub fn over_at(over: OverAt) -> String {
    let what = match over.reason {
        StopReason::Interrupted => "it was interrupted",
        _ => "the time limit came first",
    };
    format!("{what}, after {} of {} states", over.n_done, over.n_all)
}

/// Why it is not known how many states there are without symmetry.
pub fn uncounted(why: &Uncounted) -> String {
    match why {
        Uncounted::MissedOrbits => "not every orbit need have a state".to_owned(),
        Uncounted::SeveralPairs => "an orbit may have several pairs".to_owned(),
        Uncounted::StartMoves => "symmetries do not keep the start".to_owned(),
        Uncounted::Interleaved => "processes are made while others move".to_owned(),
        Uncounted::NotAllSeen => "not every state was seen".to_owned(),
        Uncounted::Unfinished => "the search did not come to its end".to_owned(),
        Uncounted::Over(over) => over_at(*over),
    }
}

/// Why a strategy does not fit, in words that follow its name.
pub fn misfit(why: &Misfit) -> String {
    match why {
        Misfit::NoProcesses => "looks at processes, and states of this model have none".to_owned(),
        Misfit::NoValues => "draws values, and states of this model are none".to_owned(),
        Misfit::NoExchange => {
            "needs processes of which two can be exchanged while all others stay".to_owned()
        }
        Misfit::NoColumns => "needs a group that permutes like columns freely, all at once; the \
                              group of this model is another (`fast` takes it apart)"
            .to_owned(),
        Misfit::TooLarge {
            listed,
            order,
            order_max,
        } => {
            let what = match listed {
                Listed::Images => "looks at all images of a state",
                Listed::Symmetries => "keeps all symmetries in a list",
                Listed::RememberedImages => "remembers all images of a state",
            };
            format!(
                "{what}, and the group of this model has {order} elements, more than {order_max}"
            )
        }
    }
}

/// Why no step of a model is left out, in words that follow a colon.
pub fn not_partial(why: &NotPartial) -> String {
    match why {
        NotPartial::Watched(watcher) => watched(*watcher).to_owned(),
        NotPartial::Population => "the processes that it starts with are not known".to_owned(),
        NotPartial::Time => "time was over before it was known what that would give".to_owned(),
        NotPartial::Interleaved => "processes are made while others move".to_owned(),
        NotPartial::SameGroup => "the group is the same without any of them".to_owned(),
        NotPartial::Start => "what the model starts with depends on them".to_owned(),
        NotPartial::Steps { n_steps, n_max } => {
            format!("{n_steps} would have to be, more than {n_max}")
        }
        NotPartial::Cosets(n_max) => {
            format!("the larger group is more than {n_max} times as large as the smaller")
        }
    }
}

fn watched(watcher: Watcher) -> &'static str {
    match watcher {
        Watcher::Trace => "a trace watches all of them",
        Watcher::Last => "`_last` tells which was taken",
        Watcher::Priorities => "priorities depend on who can move",
        Watcher::OrderedEnds => {
            "processes that have ended go away in order; the default rules let them stay"
        }
        Watcher::Provided => "`provided` lets processes wait",
        Watcher::Timeout => "`timeout` sees whether one can be taken",
        Watcher::Enabled => "`enabled` sees whether one can be taken",
        Watcher::ProgressOrPriority => "`np_` or a priority is asked for",
    }
}

/// Why the members of a sort stay.
pub fn apart(why: &ApartReason) -> String {
    match why {
        ApartReason::Unknown => "nothing is known about its members".to_owned(),
        ApartReason::Told(words) => words.clone(),
        ApartReason::TooMany(n) => format!("it has {n} members, more than states can hold"),
        ApartReason::Named => "the model names its members".to_owned(),
        ApartReason::NoMember(member) => format!("it has no member {member}"),
        ApartReason::TwoBlocks(member) => format!("member {member} is in two blocks"),
    }
}

/// Why a permutation of events is no symmetry.
pub fn no_symmetry(why: &NoSymmetry) -> String {
    match why {
        NoSymmetry::Unreduced(name) => {
            format!("`{name}` has states that cannot be told apart, or reached")
        }
        NoSymmetry::NoPermutation => "it is no permutation of the events".to_owned(),
        NoSymmetry::Parts(mismatch) => part_mismatch(mismatch),
        NoSymmetry::ComponentsMerge => "leaves are not permuted".to_owned(),
        NoSymmetry::Unlaid(pair) => unbecome(pair),
        NoSymmetry::OperatorsChange => "the operators are not kept".to_owned(),
        NoSymmetry::RulesMerge => "two ways to do an event would become one".to_owned(),
        NoSymmetry::RuleLost { parts, result } => {
            let parts = parts
                .iter()
                .map(|(name, event)| format!("`{name}` by {event}"));
            let parts: Vec<String> = parts.collect();
            let result = result.as_deref().unwrap_or("something hidden");
            format!("nothing makes {result} of {}", parts.join(" with "))
        }
        NoSymmetry::TraceMoves(event) => format!("the trace has {event}"),
        NoSymmetry::Specification { after, change } => {
            let change = specification_change(change);
            match &after[..] {
                [] => format!("at the start of the specification {change}"),
                trace => format!("after {} {change} in the specification", trace.join(", ")),
            }
        }
        NoSymmetry::SpecificationMerges => {
            "two states of the specification would become one".to_owned()
        }
        NoSymmetry::NotAsked => "it is no symmetry of the process".to_owned(),
    }
}

fn specification_change(change: &SpecificationChange) -> String {
    match change {
        SpecificationChange::TwoImages => "a state would go to two".to_owned(),
        SpecificationChange::Missing { event, image } => {
            format!("{event} is allowed, but {image} not where it should be")
        }
        SpecificationChange::MoreAllowed => "more is allowed than should be".to_owned(),
        SpecificationChange::Divergence => "divergence is not kept".to_owned(),
        SpecificationChange::Refusals => "what may be refused is not kept".to_owned(),
    }
}

fn part_mismatch(mismatch: &PartMismatch) -> String {
    match mismatch {
        PartMismatch::Set { of, change } => {
            let set = operator_set(of);
            match change {
                SetChange::Gets(event) => format!("{set} would get {event}, which is not in it"),
                SetChange::Loses(event) => format!("{set} would lose {event}"),
                SetChange::Differs => format!("{set} is not kept"),
            }
        }
        PartMismatch::Operators(part, on) => format!(
            "{} and {} are put together by different operators",
            names(part),
            names(on)
        ),
        PartMismatch::Numbers(part, on) => format!(
            "{} and {} are of different numbers of parts",
            names(part),
            names(on)
        ),
        PartMismatch::Components { pair, difference } => {
            let first = unbecome(pair);
            let Some(difference) = difference else {
                return format!("{first}: they branch differently");
            };
            let after = match &difference.after[..] {
                [] => "at the start".to_owned(),
                trace => format!("after {}", trace.join(", ")),
            };
            let which = if difference.only_image {
                "the image"
            } else {
                "the other"
            };
            format!("{first}: {after} only {which} can do {}", difference.event)
        }
        PartMismatch::NothingLike(part) => format!("nothing is like {}", names(part)),
        PartMismatch::Renaming(part) => format!("the renaming of {} is not kept", names(part)),
    }
}

fn unbecome(pair: &ComponentPair) -> String {
    if pair.is_itself {
        format!("`{}` does not stay itself", pair.from)
    } else {
        format!("`{}` does not become `{}`", pair.from, pair.on)
    }
}

fn operator_set(set: &OperatorSet) -> String {
    match set {
        OperatorSet::Synchronised(part) => {
            format!("the set on which {} synchronise", names(part))
        }
        OperatorSet::Alphabet(part, on) if part == on => {
            format!("the alphabet of {}", names(part))
        }
        OperatorSet::Alphabet(part, on) => {
            format!(
                "the alphabet of {}, laid on that of {}",
                names(part),
                names(on)
            )
        }
        OperatorSet::Hidden(part) => format!("the set that is hidden in {}", names(part)),
    }
}

fn names(part: &NetworkPart) -> String {
    let first = part.first.iter().map(|name| format!("`{name}`"));
    let first = first.collect::<Vec<_>>().join(", ");
    match part.n_more {
        0 => first,
        n => format!("{first} and {n} more"),
    }
}

/// Why representatives of pairs cannot be chosen in some way.
pub fn no_representatives(why: &NoRepresentatives) -> String {
    match why {
        NoRepresentatives::Moves(MovedState { symmetry, after }) => {
            let after = after.join(", ");
            format!("{symmetry} moves the state of the specification after <{after}>")
        }
        NoRepresentatives::NamesOthers(name) => {
            format!("states of `{name}` name others than itself")
        }
        NoRepresentatives::StatesMove(name) => {
            format!("`{name}` stays where it is, and its states move")
        }
        NoRepresentatives::NotAllExchanged => "leaves are not exchanged in all ways".to_owned(),
        NoRepresentatives::Members(n_max) => format!("it would take more than {n_max} members"),
        NoRepresentatives::Orbit {
            n_states,
            n_members,
        } => format!("an orbit of {n_states} states with {n_members} members is too large"),
        NoRepresentatives::Elements(n_max) => {
            format!("the group has more than {n_max} elements")
        }
        NoRepresentatives::Memory(n) => {
            format!("the group has more than {n} elements, too many to keep")
        }
        NoRepresentatives::Neither(both) => {
            let [first, second] = &**both;
            format!(
                "{}; {}",
                no_representatives(first),
                no_representatives(second)
            )
        }
    }
}

/// Why representatives of pairs are chosen as they are.
pub fn choice(why: &ChoiceReason) -> String {
    match why {
        ChoiceReason::NotShared => {
            "no symmetry is shared by the process and the specification".to_owned()
        }
        ChoiceReason::Unused(why) => format!("symmetry is not used: {}", no_representatives(why)),
        ChoiceReason::NothingMoves => "nothing moves".to_owned(),
        ChoiceReason::Least(n) => format!("the least pair over all {n} symmetries"),
        ChoiceReason::Descended(n) => {
            format!("the pair made less by {n} symmetries, as long as one does")
        }
        ChoiceReason::Sorted(1) => {
            "leaves are exchanged in all ways: their states are sorted".to_owned()
        }
        ChoiceReason::Sorted(n) => {
            format!("columns of up to {n} leaves are exchanged in all ways: they are sorted")
        }
        ChoiceReason::Drawn(n) => {
            format!("pairs are drawn over {n} members, and have one canonical image")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(names: &[&str], n_more: usize) -> NetworkPart {
        NetworkPart {
            first: names.iter().map(|&name| name.into()).collect(),
            n_more,
        }
    }

    #[test]
    fn parts_are_named_by_their_first_components() {
        let of = OperatorSet::Hidden(part(&["A", "B", "C"], 2));
        let change = SetChange::Gets("a.1".to_owned());
        let why = NoSymmetry::Parts(PartMismatch::Set { of, change });
        let words = "the set that is hidden in `A`, `B`, `C` and 2 more would get a.1, which is \
                     not in it";
        assert_eq!(no_symmetry(&why), words);
        let (one, other) = (part(&["A"], 0), part(&["B"], 0));
        let same = operator_set(&OperatorSet::Alphabet(one.clone(), one.clone()));
        assert_eq!(same, "the alphabet of `A`");
        let two = operator_set(&OperatorSet::Alphabet(one, other));
        assert_eq!(two, "the alphabet of `A`, laid on that of `B`");
    }

    #[test]
    fn a_component_that_changes_is_shown_where_it_does() {
        let pair = |is_itself| ComponentPair {
            from: "A".into(),
            on: if is_itself { "A" } else { "B" }.into(),
            is_itself,
        };
        let difference = reduce::network::TraceDifference {
            after: vec!["a".to_owned(), "b".to_owned()],
            event: "c".to_owned(),
            only_image: true,
        };
        let why = |pair, difference| {
            no_symmetry(&NoSymmetry::Parts(PartMismatch::Components {
                pair,
                difference,
            }))
        };
        let words = "`A` does not become `B`: after a, b only the image can do c";
        assert_eq!(why(pair(false), Some(difference)), words);
        let words = "`A` does not stay itself: they branch differently";
        assert_eq!(why(pair(true), None), words);
    }

    #[test]
    fn a_specification_is_told_with_its_trace() {
        let change = |after: &[&str]| {
            no_symmetry(&NoSymmetry::Specification {
                after: after.iter().map(|&event| event.to_owned()).collect(),
                change: SpecificationChange::Missing {
                    event: "a".to_owned(),
                    image: "b".to_owned(),
                },
            })
        };
        let words = "a is allowed, but b not where it should be";
        assert_eq!(
            change(&[]),
            format!("at the start of the specification {words}")
        );
        assert_eq!(
            change(&["c"]),
            format!("after c {words} in the specification")
        );
    }

    #[test]
    fn two_ways_that_cannot_be_used_are_both_told() {
        let both = [
            NoRepresentatives::Members(9),
            NoRepresentatives::Elements(24),
        ];
        let why = ChoiceReason::Unused(NoRepresentatives::Neither(Box::new(both)));
        let words = "symmetry is not used: it would take more than 9 members; the group has more \
                     than 24 elements";
        assert_eq!(choice(&why), words);
    }
}
