//! Pictures of an explored model: which part of it, by which abstraction, with which words.
//!
//! Who asks names an abstraction, or leaves the choice to [`picture`]: the finest that fits a
//! screen. A picture that would have more nodes than can be drawn is made of signatures instead,
//! or of levels, and says so.

use super::{Explored, StateWords};
use base::{Diagnostic, quote};
use std::collections::{BTreeMap, HashSet};
use view::abstraction::alpha::ChosenValues;
use view::abstraction::dfa::DfaOptions;
use view::abstraction::projection::Seen;
use view::abstraction::{
    Alpha, AlphaRules, NoView, View, bisimulation, dfa, levels, projection, signature, single,
};
use view::{NodeKinds, Space, part};

/// How many nodes fit a screen.
pub const SCREEN: usize = 40;
/// How many nodes are drawn at most.
pub const DRAWN_MAX: usize = 2_000;

/// Which abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewKind {
    /// Each state a node.
    Full,
    /// Each orbit a node.
    Quotient,
    /// States with equal signatures.
    Signature,
    /// A deterministic automaton.
    Dfa,
    /// Bisimilar states.
    Bisimulation,
    /// States in which the same is seen.
    Projection,
    /// States of one depth.
    Levels,
}

impl ViewKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            ViewKind::Full => "full",
            ViewKind::Quotient => "quotient",
            ViewKind::Signature => "signature",
            ViewKind::Dfa => "dfa",
            ViewKind::Bisimulation => "bisimulation",
            ViewKind::Projection => "projection",
            ViewKind::Levels => "levels",
        }
    }
}

/// What a projection shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum On {
    /// The values of these variables.
    Variables(Vec<String>),
    /// The truth of the predicate that the states were explored with: its text.
    Predicate(String),
}

/// Which states are connected with the initial ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Towards {
    /// Those in which something is wrong, or that are stuck, on all paths.
    Errors,
    /// The same, on shortest paths.
    NearestErrors,
}

/// A neighbourhood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near {
    /// Of this state.
    pub state: u32,
    /// As far as that many transitions.
    pub n_steps: usize,
}

/// A picture that is asked for.
#[derive(Clone, Debug)]
pub struct PictureRequest {
    /// Which abstraction; `None` for the finest that fits.
    pub kind: Option<ViewKind>,
    /// How many nodes fit, if no abstraction is named.
    pub n_fitting: usize,
    /// How many steps a signature looks ahead.
    pub n_steps: usize,
    /// What becomes of labels.
    pub labels: AlphaRules,
    /// What a projection shows.
    pub on: Option<On>,
    /// Only transitions with these arguments, and what they lead to.
    pub only: Vec<ChosenValues>,
    /// In how many classes signatures may differ that are merged, if they may.
    pub n_differing: Option<usize>,
    /// Whether only states are shown in which the predicate is true that they were explored with.
    pub where_true: bool,
    /// Only what is near a state.
    pub around: Option<Near>,
    /// Only what leads from the initial states to these.
    pub towards: Option<Towards>,
    /// Whether edges from a node to itself are left out.
    pub hides_loops: bool,
    /// Whether an automaton is made minimal.
    pub is_minimised: bool,
}

impl Default for PictureRequest {
    fn default() -> PictureRequest {
        PictureRequest {
            kind: None,
            n_fitting: SCREEN,
            n_steps: 1,
            labels: AlphaRules::default(),
            on: None,
            only: Vec::new(),
            n_differing: None,
            where_true: false,
            around: None,
            towards: None,
            hides_loops: false,
            is_minimised: false,
        }
    }
}

/// A picture of an explored model.
pub struct Pictured {
    /// The picture, and how large the abstraction is.
    pub view: View,
    /// Which abstraction it is.
    pub kind: ViewKind,
    /// How many states it is made of.
    pub n_states: usize,
    /// How many transitions.
    pub n_transitions: usize,
}

/// The picture that is asked for, or what is wrong with the question.
pub fn picture(explored: &Explored<'_>, asked: &PictureRequest) -> Result<Pictured, Diagnostic> {
    check_operations(&explored.space, asked)?;
    let part = chosen_part(explored, asked)?;
    let space = part.as_ref().unwrap_or(&explored.space);
    let alpha = Alpha::new(space, &asked.labels);
    let drawer = Drawer {
        explored,
        space,
        alpha,
        asked,
    };
    let (kind, mut view) = match asked.kind {
        Some(kind) => drawer.named(kind)?,
        None => drawer.chosen(),
    };
    let notes = &mut view.picture.notes;
    notes.extend(explored.notes.iter().cloned());
    if space.has_orbits() {
        notes.push(
            "one state of each orbit, with its own labels; `for` counts the orbit".to_owned(),
        );
    }
    if space.is_cut() {
        notes.push("a limit came first: dotted states are not expanded".to_owned());
    }
    if asked.hides_loops {
        view.picture = view.picture.without_self_loops();
    }
    Ok(Pictured {
        kind,
        n_states: space.n_states(),
        n_transitions: space.n_transitions(),
        view,
    })
}

/// Refuses names that no operation has.
fn check_operations(space: &Space, asked: &PictureRequest) -> Result<(), Diagnostic> {
    let rules = &asked.labels;
    let only = asked.only.iter().map(|chosen| &chosen.argument);
    let arguments = || rules.kept.iter().chain(only.clone());
    let kept = arguments().map(|kept| &kept.operation);
    let renamed = rules.renamed.iter().map(|renamed| &renamed.operation);
    for word in rules.hidden.iter().chain(kept).chain(renamed) {
        if !space.operations().iter().any(|o| o.is_meant(word)) {
            let known: Vec<String> = space.operations().iter().map(|o| o.text()).collect();
            let message = format!("no transition has the operation {}", quote(word));
            return Err(Diagnostic::unlocated(message).note(format!("there are {}", few(&known))));
        }
    }
    for kept in arguments() {
        let mut meant = space.operations().iter();
        let labels = (0..space.n_labels()).map(view::LabelId::new);
        let n_arguments = labels
            .filter(|l| space.operations()[space.operation(*l)].is_meant(&kept.operation))
            .map(|label| space.arguments(label).count())
            .max()
            .unwrap_or(0);
        let operation = meant.find(|o| o.is_meant(&kept.operation));
        let place = operation.and_then(|o| kept.place(&o.parameters));
        if place.is_none_or(|place| place >= n_arguments) {
            let (name, of) = (quote(&kept.argument), quote(&kept.operation));
            let message = format!("{of} has no argument {name}");
            let note = format!("it has {n_arguments}; they are named or counted from 1");
            return Err(Diagnostic::unlocated(message).note(note));
        }
    }
    Ok(())
}

/// Some names, the others counted.
fn few(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| quote(name)).collect();
    let more = names.len().saturating_sub(MOST);
    match more {
        0 => shown.join(", "),
        _ => format!("{}, and {more} more", shown.join(", ")),
    }
}

/// The part of the space that is asked for; `None` for all.
fn chosen_part(
    explored: &Explored<'_>,
    asked: &PictureRequest,
) -> Result<Option<Space>, Diagnostic> {
    let with_arguments = with_arguments(&explored.space, &asked.only);
    let space = with_arguments.as_ref().unwrap_or(&explored.space);
    let mut is_chosen = vec![true; space.n_states()];
    let mut keep = |only: Vec<bool>| {
        for (is_chosen, keep) in is_chosen.iter_mut().zip(only) {
            *is_chosen &= keep;
        }
    };
    if asked.where_true {
        keep(truths(explored)?);
    }
    if let Some(near) = asked.around {
        if near.state as usize >= space.n_states() {
            let last = space.n_states().saturating_sub(1);
            let message = format!("there is no state {}", near.state);
            let note = format!("states have the numbers 0 to {last}");
            return Err(Diagnostic::unlocated(message).note(note));
        }
        keep(part::around(space, near.state, near.n_steps));
    }
    if let Some(towards) = asked.towards {
        let mut ends = space.with_kind(NodeKinds::VIOLATION);
        ends.extend(space.with_kind(NodeKinds::DEADLOCK));
        if ends.is_empty() {
            let message = "no state is an error: there is no path to draw";
            return Err(Diagnostic::unlocated(message));
        }
        let connecting = match towards {
            Towards::Errors => part::between,
            Towards::NearestErrors => part::shortest_between,
        };
        keep(connecting(space, &space.initial(), &ends));
    }
    if with_arguments.is_some() {
        keep(part::reachable(space, &space.initial()));
    }
    if is_chosen.iter().all(|is| *is) && asked.around.is_none() {
        return Ok(with_arguments);
    }
    if !is_chosen.contains(&true) {
        return Err(Diagnostic::unlocated("no state is left to draw"));
    }
    let mut part = space.restricted(&is_chosen);
    if let Some(near) = asked.around {
        let states = 0..part.n_states() as u32;
        let here = states.into_iter().find(|s| part.number(*s) == near.state);
        part.set_current(here);
    }
    Ok(Some(part))
}

/// The space with only those transitions of some operations whose arguments are chosen; `None` if
/// none are.
fn with_arguments(space: &Space, only: &[ChosenValues]) -> Option<Space> {
    let leaves_out = |label| only.iter().any(|chosen| chosen.leaves_out(space, label));
    (!only.is_empty()).then(|| space.without_labels(&leaves_out))
}

/// By state, whether the predicate is true that the states were explored with; not in the one
/// before the set-up.
fn truths(explored: &Explored<'_>) -> Result<Vec<bool>, Diagnostic> {
    let states = 0..explored.space.n_states() as u32;
    let mut truths = Vec::with_capacity(explored.space.n_states());
    for state in states {
        let value = explored.is_true(state).map_err(|why| {
            let message = format!(
                "the predicate has no value in state {state}: {}",
                why.message
            );
            Diagnostic::error(why.span, message)
        })?;
        truths.push(value.unwrap_or(false));
    }
    Ok(truths)
}

/// What pictures are made of.
struct Drawer<'a> {
    explored: &'a Explored<'a>,
    space: &'a Space,
    alpha: Alpha,
    asked: &'a PictureRequest,
}

impl Drawer<'_> {
    /// The abstraction of that name, or a coarser one where it has too many nodes.
    fn named(&self, kind: ViewKind) -> Result<(ViewKind, View), Diagnostic> {
        let n_states = self.space.n_states();
        let mut view = match kind {
            ViewKind::Full | ViewKind::Quotient if n_states > DRAWN_MAX => {
                return Ok(self.coarser(n_states));
            }
            ViewKind::Full | ViewKind::Quotient => self.single(),
            ViewKind::Signature => match self.signature(self.asked.n_steps) {
                Ok(view) => view,
                Err(why) => return Err(too_large(why)),
            },
            ViewKind::Dfa => self.dfa(DRAWN_MAX * 10).map_err(too_large)?,
            ViewKind::Bisimulation => bisimulation::view(self.space, &self.alpha),
            ViewKind::Projection => self.projection()?,
            ViewKind::Levels => levels::view(self.space, &self.alpha, DRAWN_MAX),
        };
        let n_nodes = view.size.n_nodes;
        if n_nodes > DRAWN_MAX {
            let (kind, coarse) = self.coarser(n_nodes);
            view.picture = coarse.picture;
            return Ok((kind, view));
        }
        Ok((kind, view))
    }

    /// The finest abstraction that fits; levels where none does.
    fn chosen(&self) -> (ViewKind, View) {
        let screen = self.asked.n_fitting;
        let whole = if self.space.has_orbits() {
            ViewKind::Quotient
        } else {
            ViewKind::Full
        };
        let fits = |view: &View| view.size.n_nodes <= screen;
        if self.space.n_states() <= screen {
            return (whole, self.single());
        }
        let bisimilar = bisimulation::view(self.space, &self.alpha);
        if fits(&bisimilar) {
            return (ViewKind::Bisimulation, bisimilar);
        }
        if let Ok(view) = self.dfa(screen) {
            return (ViewKind::Dfa, view);
        }
        let mut best = None;
        for n_steps in 1..=3 {
            match self.signature(n_steps) {
                Ok(view) if fits(&view) => best = Some(view),
                _ => break,
            }
        }
        match best {
            Some(view) => (ViewKind::Signature, view),
            None => (
                ViewKind::Levels,
                levels::view(self.space, &self.alpha, screen),
            ),
        }
    }

    /// Signatures, or levels, in place of something with too many nodes.
    fn coarser(&self, n_nodes: usize) -> (ViewKind, View) {
        let by_signature = self.signature(1).ok();
        let by_signature = by_signature.filter(|view| view.size.n_nodes <= DRAWN_MAX);
        let (kind, mut view) = match by_signature {
            Some(view) => (ViewKind::Signature, view),
            None => (
                ViewKind::Levels,
                levels::view(self.space, &self.alpha, DRAWN_MAX / 2),
            ),
        };
        let note = format!(
            "{n_nodes} nodes are too many to draw ({DRAWN_MAX} at most): these are {}",
            match kind {
                ViewKind::Signature => "signatures",
                _ => "levels",
            }
        );
        view.picture.notes.push(note);
        (kind, view)
    }

    fn signature(&self, n_steps: usize) -> Result<View, NoView> {
        match self.asked.n_differing {
            Some(n_differing) => signature::similar_view(self.space, &self.alpha, n_differing),
            None => signature::view(self.space, &self.alpha, n_steps),
        }
    }

    fn dfa(&self, n_nodes_max: usize) -> Result<View, NoView> {
        let options = DfaOptions {
            is_minimised: self.asked.is_minimised,
            n_nodes_max,
            n_members_max: 20_000_000,
        };
        dfa::view(self.space, &self.alpha, options)
    }

    fn single(&self) -> View {
        let states = 0..self.space.n_states() as u32;
        let numbers: Vec<u32> = states.map(|state| self.space.number(state)).collect();
        let words = DifferingWords::of(self.explored, &numbers);
        single::view(self.space, &self.alpha, &|number| words.lines(number))
    }

    fn projection(&self) -> Result<View, Diagnostic> {
        let (seen, of) = match &self.asked.on {
            None => {
                let message = "a projection needs to know what is seen";
                let note = "`--on VARIABLES` or `--on PREDICATE`";
                return Err(Diagnostic::unlocated(message).note(note));
            }
            Some(On::Variables(names)) => (seen_values(self.explored, names)?, names.join(", ")),
            Some(On::Predicate(text)) => {
                let mut seen = Seen::default();
                for (state, is) in truths(self.explored)?.into_iter().enumerate() {
                    let line = match (self.explored.state(state as u32), is) {
                        (None, _) => "before the set-up".to_owned(),
                        (_, true) => text.clone(),
                        (_, false) => format!("not {text}"),
                    };
                    seen.push(vec![line]);
                }
                (seen, text.clone())
            }
        };
        let seen = seen.of_part(self.space);
        Ok(projection::view(self.space, &self.alpha, &seen, &of))
    }
}

/// Says that an abstraction was given up.
fn too_large(why: NoView) -> Diagnostic {
    let message = match why {
        NoView::TooManyNodes(n) => format!("the abstraction has more than {n} nodes"),
        NoView::TooMuchWork(n) => {
            format!("the abstraction needs too much memory, after {n} nodes")
        }
    };
    let note = "`--as signature` and `--as levels` are never larger than the states";
    Diagnostic::unlocated(message).note(note)
}

/// The values of these variables, by state.
fn seen_values(explored: &Explored<'_>, names: &[String]) -> Result<Seen, Diagnostic> {
    let mut seen = Seen::default();
    let mut unknown: HashSet<&String> = names.iter().collect();
    let mut known = Vec::new();
    for state in 0..explored.space.n_states() as u32 {
        let words = explored.describe(state);
        let all = || words.values.iter().chain(&words.locations);
        if known.is_empty() {
            known = all().map(|(name, _)| name.clone()).collect();
        }
        let mut lines = Vec::new();
        for name in names {
            if let Some((_, value)) = all().find(|(n, _)| n == name) {
                unknown.remove(name);
                lines.push(format!("{name} = {value}"));
            }
        }
        if lines.is_empty() {
            lines.push("none of them is there".to_owned());
        }
        seen.push(lines);
    }
    match names.iter().find(|name| unknown.contains(name)) {
        None => Ok(seen),
        Some(name) => {
            let message = format!("no state has a variable {}", quote(name));
            Err(Diagnostic::unlocated(message).note(format!("there are {}", few(&known))))
        }
    }
}

/// States in words, without what is the same in all of them.
struct DifferingWords {
    by_state: BTreeMap<u32, StateWords>,
    differing: HashSet<String>,
}

impl DifferingWords {
    fn of(explored: &Explored<'_>, numbers: &[u32]) -> DifferingWords {
        let words = numbers.iter().map(|n| (*n, explored.describe(*n)));
        let by_state: BTreeMap<u32, StateWords> = words.collect();
        let mut first: BTreeMap<&str, &str> = BTreeMap::new();
        let mut n_having: BTreeMap<&str, usize> = BTreeMap::new();
        let mut differing = HashSet::new();
        let told = by_state.values().filter(|words| !words.is_empty());
        for words in told.clone() {
            for (name, value) in words.values.iter().chain(&words.locations) {
                *n_having.entry(name).or_default() += 1;
                if *first.entry(name).or_insert(value) != value {
                    differing.insert(name.clone());
                }
            }
        }
        let n_told = told.count();
        let has_value = |name: &str| {
            let mut told = by_state.values();
            told.any(|words| words.values.iter().any(|(known, _)| known == name))
        };
        let partly = n_having.iter().filter(|(_, n)| **n != n_told);
        let partly = partly.filter(|(name, _)| has_value(name));
        differing.extend(partly.map(|(name, _)| (*name).to_owned()));
        DifferingWords {
            by_state,
            differing,
        }
    }

    fn lines(&self, number: u32) -> Vec<String> {
        let Some(words) = self.by_state.get(&number) else {
            return Vec::new();
        };
        let differs = |entry: &&(String, String)| self.differing.contains(&entry.0);
        let values = words.values.iter().filter(differs);
        let places = words.locations.iter().filter(differs);
        let values = values.map(|(name, value)| format!("{name} = {value}"));
        values
            .chain(places.map(|(name, at)| format!("{name} at {at}")))
            .collect()
    }
}
