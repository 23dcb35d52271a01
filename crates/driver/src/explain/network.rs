//! The symmetry of assertions about processes: for each the values that are interchangeable, why
//! they are, and what tells others apart.
//!
//! Symmetry is found as a check finds it: exchanges and turns of values are offered, and certified
//! on the network and the specification. Then the rules of algebra are applied to the process as
//! it is written, to say why.
//!
//! Worked example: `P(i) = in.i -> P(i)`, `SYSTEM = ||| i : {1..3} @ P(i)` and a specification that
//! names 1. The numbers in field 1 of `in` are a sort; (2 3) is left, row 9 shows it; 1 and 2 are
//! not interchangeable, because of the line of the specification that names 1.

mod told;

use crate::assertions::model_of;
use crate::assertions::reducer::LIMITS;
use crate::explain::drawing::{Drawing, DrawnVertex};
use crate::plan::Listing;
use base::Clock;
use check::refinement::normal::Normal;
use check::refinement::{self, Limits, Unknown};
use group::{Group, Perm};
use model::frontend::{Asks, ExplainedClaim, Model, Obstacle, Question};
use model::network::Network;
use model::network::claim::{Against, Claim, FamilyText, Side};
use reduce::network::{Candidate, Certifier, Specification, Symmetry, allowed, certify};
use report::answer::{Answer, Exit, stop_word};
use report::object::{Drawing as Drawn, Symmetries};
use report::page::Page;
use report::reasons;
use std::collections::BTreeSet;
use std::time::Duration;
use told::{Apart, Generator, Told, Why};

/// How many states a specification may have.
const SPEC_STATES_MAX: u64 = 50_000_000;
/// How many pairs of values of a sort are told apart: where some are alike, and where none are.
const N_APART_MAX: usize = 3;
const N_APART_OF_NONE_MAX: usize = 1;

/// Whose symmetry is shown.
pub struct Asked<'a> {
    /// The model.
    pub model: &'a dyn Model,
    /// Which of its assertions, by number.
    pub assertions: &'a [usize],
    /// When it has to stop.
    pub clock: Clock<'static>,
    /// How much memory specifications may take.
    pub memory_bytes_max: Option<u64>,
    /// Whether pictures are made.
    pub drawings: Listing,
}

/// The whole page.
pub fn page(asked: &Asked<'_>, mut object: Symmetries) -> Answer {
    let mut page = Page::new();
    let (mut all, mut sorts) = (Vec::new(), Vec::new());
    let (mut is_seen, mut is_stopped) = (false, false);
    for &number in asked.assertions {
        let question = &asked.model.questions()[number];
        let mut told = unknown(question, number);
        let explained = asked.model.explain(number, &mut |explained| {
            is_seen = true;
            explained.with_claim(&mut |claim| sorts = sorts_of(claim));
            match explain(explained, asked) {
                Ok(mut found) => {
                    // Assertions about one process have one picture.
                    for drawn in std::mem::take(&mut found.drawings) {
                        if !object.drawings.iter().any(|known| known.svg == drawn.svg) {
                            let title = format!("Assertion {}: {}", number + 1, drawn.title);
                            object.drawings.push(Drawn { title, ..drawn });
                        }
                    }
                    told = Told {
                        ..found.named(&told)
                    }
                }
                Err(why) => told.open = Some(why.to_string()),
            }
        });
        if let Err(obstacle) = explained {
            is_stopped |= matches!(obstacle, Obstacle::Stopped(_));
            told.open = Some(obstacle.to_string());
        }
        all.push(told);
    }
    // Where no assertion was looked at, nothing is known of its values.
    if is_seen || asked.assertions.is_empty() {
        object.sorts = told::sorts(&sorts, &mut page);
    }
    object.properties = told::assertions(&all, &mut page);
    object.notes = asked.model.about().notes;
    for note in &object.notes {
        page.row("note", note);
    }
    let is_open = all.iter().any(|told| told.open.is_some());
    let is_cut = is_open && is_stopped;
    let exit = if is_cut { Exit::Unknown } else { Exit::Holds };
    if is_cut {
        object.stop_reason = Some(stop_word(asked.clock).to_owned());
    }
    Answer::told(exit, page, &object)
}

/// The sorts of values that a model offers.
fn sorts_of(claim: &Claim<'_>) -> Vec<FamilyText> {
    let families = claim.offers.families().into_iter();
    families.filter(|family| family.is_sort).collect()
}

/// An assertion of which nothing is known yet.
fn unknown(question: &Question, number: usize) -> Told {
    let line = match &question.asks {
        Asks::Assertion(asked) => asked.line,
        _ => 0,
    };
    Told {
        number: number + 1,
        text: question.name.clone(),
        line,
        open: None,
        order: "1".to_owned(),
        structure: "trivial".to_owned(),
        generators: Vec::new(),
        still: Vec::new(),
        apart: Vec::new(),
    }
}

/// The process of a claim, and the normal form of its specification.
struct Sides<'a> {
    process: &'a Network,
    spec: Option<Normal>,
}

/// A permutation that was offered, of which family; none for one of components.
struct Offered {
    family: Option<usize>,
    symmetry: Symmetry,
}

/// What is known of the symmetry of a claim before the text is asked why.
struct Found {
    order: String,
    structure: String,
    /// Generators with the sorts they are about, and what they do to events.
    generators: Vec<(String, String, Vec<u32>)>,
    still: Vec<String>,
    /// Values that are told apart: which, of what, why, and the exchange of them.
    apart: Vec<(Apart, Option<Vec<u32>>)>,
    /// Pictures of it, if they are asked for.
    drawings: Vec<Drawn>,
}

/// The group of a claim, explained; or why it is not known.
fn explain(explained: &mut dyn ExplainedClaim, asked: &Asked<'_>) -> Result<Explained, Unknown> {
    let mut looked = None;
    explained.with_claim(&mut |claim| looked = Some(look(claim, asked)));
    let found = looked.expect("a claim is looked at")?;
    let generators = found.generators.into_iter().map(|(name, sort, events)| {
        // Where no event moves there is nothing to derive: components are the same as written.
        let is_told = !events.iter().is_sorted();
        let sides = [Side::Process, Side::Specification];
        let sides = sides.into_iter().filter(|_| is_told);
        let why = sides.filter_map(|of| {
            let derivation = explained.derivation(of, &events)?;
            Some(Why { of, derivation })
        });
        Generator {
            name,
            sort,
            why: why.collect(),
        }
    });
    let generators = generators.collect();
    let apart = found.apart.into_iter().map(|(apart, events)| {
        let values = [&*apart.of[0], &*apart.of[1]];
        let mention = explained.mention(values, events.as_deref());
        Apart { mention, ..apart }
    });
    Ok(Explained {
        apart: apart.collect(),
        order: found.order,
        structure: found.structure,
        generators,
        still: found.still,
        drawings: found.drawings,
    })
}

/// The group of a claim, explained.
struct Explained {
    order: String,
    structure: String,
    generators: Vec<Generator>,
    still: Vec<String>,
    apart: Vec<Apart>,
    drawings: Vec<Drawn>,
}

impl Explained {
    /// The same of an assertion.
    fn named(self, of: &Told) -> Told {
        Told {
            number: of.number,
            text: of.text.clone(),
            line: of.line,
            open: None,
            order: self.order,
            structure: self.structure,
            generators: self.generators,
            still: self.still,
            apart: self.apart,
        }
    }
}

/// Finds the group of a claim, and what is not in it.
fn look(claim: &Claim<'_>, asked: &Asked<'_>) -> Result<Found, Unknown> {
    let sides = sides(claim, asked)?;
    let families = claim.offers.families();
    let certifier = Certifier::new(claim.process);
    let found = with_spec(&sides, |spec| allowed(&certifier, claim.offers, spec));
    let of_families = found.of_families.into_iter();
    let of_families = of_families.map(|(family, symmetry)| Offered {
        family: Some(family),
        symmetry,
    });
    let twins = found.twins.into_iter();
    let twins = twins.map(|symmetry| Offered {
        family: None,
        symmetry,
    });
    let offered = of_families.chain(twins);
    let sort = |offered: &Offered| match offered.family {
        Some(family) => families[family].name.clone(),
        None => "components that are the same".to_owned(),
    };
    let Shared {
        used,
        still,
        order,
        structure,
    } = shared(&sides, &certifier, offered.collect());
    let still = still.iter().map(|offered| {
        let (name, family) = (offered.symmetry.name(), sort(offered));
        format!("{name} in {family}")
    });
    let generators = generating(&used).into_iter().map(|offered| {
        let events = offered.symmetry.events().to_vec();
        (offered.symmetry.name().to_owned(), sort(offered), events)
    });
    let drawings = match asked.drawings {
        Listing::Shown => drawn(claim.process, &used),
        Listing::Hidden => Vec::new(),
    };
    let mut apart = Vec::new();
    for (number, family) in families.iter().enumerate() {
        if family.is_sort {
            apart.extend(told_apart(claim, &sides, number, family, &used));
        }
    }
    Ok(Found {
        order,
        structure,
        generators: generators.collect(),
        still: still.collect(),
        apart,
        drawings,
    })
}

/// More events than these are drawn as channels.
const EVENTS_MAX: usize = 60;

/// Components and their events; those that can be exchanged have one colour.
fn drawn(process: &Network, used: &[Offered]) -> Vec<Drawn> {
    let leaves = process.leaves();
    let labels = leaves.iter().map(|leaf| {
        let all = (0..leaf.n_states()).flat_map(|state| leaf.edges(state));
        let events = all.filter_map(|(label, _)| label.as_event());
        events.collect::<BTreeSet<u32>>()
    });
    let labels: Vec<BTreeSet<u32>> = labels.collect();
    let events: BTreeSet<u32> = labels.iter().flatten().copied().collect();
    let by_channel = events.len() > EVENTS_MAX;
    let called = |event: u32| -> &str {
        let name = &*process.names()[event as usize];
        let channel = name.split('.').next().unwrap_or(name);
        if by_channel { channel } else { name }
    };
    let names: BTreeSet<&str> = events.iter().map(|event| called(*event)).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let place = |event: u32| leaves.len() + names.binary_search(&called(event)).unwrap_or(0);
    let mut colours = vec![None; leaves.len() + names.len()];
    let n_events = process.names().len();
    let perms: Vec<Perm> = used.iter().map(|one| perm_of(&one.symmetry)).collect();
    let orbits = group::orbit::orbits(n_events + leaves.len(), &perms);
    for (colour, orbit) in orbits.iter().filter(|orbit| orbit.len() > 1).enumerate() {
        for point in orbit.iter().map(|point| *point as usize) {
            match point.checked_sub(n_events) {
                Some(leaf) => colours[leaf] = Some(colour),
                None if by_channel || !events.contains(&(point as u32)) => {}
                None => colours[place(point as u32)] = Some(colour),
            }
        }
    }
    let components = leaves.iter().map(|leaf| leaf.name().to_string());
    let all = components.chain(names.iter().map(|name| (*name).to_owned()));
    let vertices = all.enumerate().map(|(x, name)| DrawnVertex {
        name,
        is_left: x < leaves.len(),
        colour: colours[x],
    });
    let own = labels.iter().enumerate();
    let arcs = own.flat_map(|(leaf, all)| all.iter().map(move |event| (leaf, *event)));
    let arcs = arcs.map(|(leaf, event)| (leaf, place(event))).collect();
    let title = "Components and their events; what can be exchanged has one colour".to_owned();
    Drawing::of(title, vertices.collect(), arcs).told(Vec::new())
}

fn sides<'a>(claim: &Claim<'a>, asked: &Asked<'_>) -> Result<Sides<'a>, Unknown> {
    let limits = Limits {
        spec_states_max: SPEC_STATES_MAX,
        pairs_max: None,
        depth_max: None,
        memory_bytes_max: asked.memory_bytes_max,
        clock: asked.clock,
        progress_every: Duration::from_secs(1),
    };
    let spec = match claim.against {
        Against::Specification {
            network, semantics, ..
        } => {
            let normal = refinement::normalise(network, model_of(semantics), limits);
            Some(normal?)
        }
        _ => None,
    };
    Ok(Sides {
        process: claim.process,
        spec,
    })
}

/// What tells members of a sort apart: the first, and one of each other class.
fn told_apart(
    claim: &Claim<'_>,
    sides: &Sides<'_>,
    number: usize,
    family: &FamilyText,
    used: &[Offered],
) -> Vec<(Apart, Option<Vec<u32>>)> {
    let classes = classes(family, used);
    let n_max = if classes.iter().any(|class| class.len() > 1) {
        N_APART_MAX
    } else {
        N_APART_OF_NONE_MAX
    };
    let mut all = Vec::new();
    for class in classes.iter().skip(1).take(n_max) {
        let of = [classes[0][0].clone(), class[0].clone()];
        let place = |name: &String| family.members.iter().position(|member| member == name);
        let (Some(i), Some(j)) = (place(&of[0]), place(&of[1])) else {
            continue;
        };
        let exchange = claim.offers.exchange(number, (i, j), &|_| true);
        let exchange = exchange.map(|(_, events)| events);
        let reason = match &exchange {
            None => "events with them exchanged are not all events of the process".to_owned(),
            Some(events) => {
                let name = format!("({} {})", of[0], of[1]);
                match refused(sides, name, events) {
                    Some(reason) => reason,
                    // A symmetry that moves no state, or one that was not looked for.
                    None => continue,
                }
            }
        };
        let apart = Apart {
            mention: None,
            sort: family.name.clone(),
            reason,
            of,
        };
        all.push((apart, exchange));
    }
    all
}

/// What a specification shares of what was offered.
struct Shared {
    /// What moves states.
    used: Vec<Offered>,
    /// What moves none.
    still: Vec<Offered>,
    order: String,
    structure: String,
}

/// What the specification shares of what was offered: what moves states, and what moves none.
fn shared(sides: &Sides<'_>, certifier: &Certifier<'_>, offered: Vec<Offered>) -> Shared {
    if offered.is_empty() {
        return Shared {
            used: offered,
            still: Vec::new(),
            order: "1".to_owned(),
            structure: "trivial".to_owned(),
        };
    }
    // Names may occur twice; numbers do not.
    let numbered = offered.iter().enumerate();
    let numbered = numbered.map(|(i, offered)| offered.symmetry.clone().called(i.to_string()));
    let certified = certifier.certified(numbered.collect());
    let joint = with_spec(sides, |spec| certified.against(spec));
    let (chosen, _) = joint.choose(LIMITS);
    let order = chosen.order();
    let names = joint.names();
    let all = offered.into_iter().enumerate();
    let (used, others): (Vec<_>, Vec<_>) = all.partition(|(i, _)| names.contains(&i.to_string()));
    let used: Vec<Offered> = used.into_iter().map(|(_, offered)| offered).collect();
    // What is neither used nor refused is a symmetry, and moves no state.
    let is_refused = |i: &usize| joint.refused().iter().any(|r| r.name == i.to_string());
    let still = others.into_iter().filter(|(i, _)| !is_refused(i));
    let still: Vec<Offered> = still.map(|(_, offered)| offered).collect();
    let group = group_of(&used);
    let structure = if group.order().to_string() == order {
        group::shape::name::describe(&group).to_string()
    } else {
        "a group".to_owned()
    };
    Shared {
        used,
        still,
        order,
        structure,
    }
}

fn with_spec<T>(sides: &Sides<'_>, work: impl FnOnce(Specification<'_>) -> T) -> T {
    match &sides.spec {
        Some(normal) => work(Specification::Chart(&normal.chart())),
        None => work(refinement::freedom()),
    }
}

/// Why an exchange is no symmetry, if it is none.
fn refused(sides: &Sides<'_>, name: String, events: &[u32]) -> Option<String> {
    let candidate = Candidate {
        name,
        events: events.to_vec(),
    };
    let certified = certify(sides.process, &[candidate]);
    let joint = with_spec(sides, |spec| certified.against(spec));
    joint
        .refused()
        .first()
        .map(|refused| reasons::no_symmetry(&refused.reason))
}

/// The group that symmetries generate.
fn group_of(shared: &[Offered]) -> Group {
    let perms: Vec<Perm> = shared.iter().map(|one| perm_of(&one.symmetry)).collect();
    Group::new(perms.first().map_or(0, Perm::degree), perms)
}

/// What a symmetry does to events, and behind them to components.
fn perm_of(symmetry: &Symmetry) -> Perm {
    let n_events = symmetry.events().len() as u32;
    let components = symmetry.leaves().iter().map(|leaf| n_events + leaf);
    let events = symmetry.events().iter().copied();
    Perm::from_bijection(events.chain(components).collect())
}

/// Some of the permutations that generate the same group.
fn generating(shared: &[Offered]) -> Vec<&Offered> {
    let mut chosen: Vec<&Offered> = Vec::new();
    let mut group: Option<Group> = None;
    for one in shared {
        let perm = perm_of(&one.symmetry);
        if group.as_ref().is_some_and(|group| group.contains(&perm)) {
            continue;
        }
        chosen.push(one);
        let perms = chosen.iter().map(|one| perm_of(&one.symmetry));
        group = Some(Group::new(perm.degree(), perms.collect()));
    }
    chosen
}

/// The members of a sort, those together that permutations lead to each other.
fn classes(family: &FamilyText, shared: &[Offered]) -> Vec<Vec<String>> {
    let mut classes: Vec<Vec<String>> = (family.members.iter())
        .map(|member| vec![member.clone()])
        .collect();
    for offered in shared.iter().filter(|offered| offered.family.is_some()) {
        let cycles = offered.symmetry.name().split(['(', ')']);
        for cycle in cycles.filter(|cycle| !cycle.is_empty()) {
            let names: Vec<&str> = cycle.split(' ').collect();
            let is_in = |class: &Vec<String>| class.iter().any(|m| names.contains(&&**m));
            let (joined, others): (Vec<_>, Vec<_>) = classes.into_iter().partition(is_in);
            let at = others.len();
            classes = others;
            let joined: Vec<String> = joined.into_iter().flatten().collect();
            if !joined.is_empty() {
                classes.insert(at, joined);
            }
        }
    }
    let order = |name: &String| family.members.iter().position(|member| member == name);
    for class in &mut classes {
        class.sort_by_key(order);
    }
    classes.sort_by_key(|class| order(&class[0]));
    classes
}
