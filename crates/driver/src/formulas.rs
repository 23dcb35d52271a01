//! What is asked of runs and of branching time: every formula has a search of its own, with the
//! symmetry that it leaves; one that is asked of several members is checked once for each class of
//! them.

use crate::conduct::Conductor;
use crate::detect::Detect;
use crate::{branching, breaking, recheck, temporal};
use check::Observer;
use model::frontend::{Asks, Classes, Linear, Purpose, Question};
use model::processes::property::Body;
use report::{Members, OwnSearch, Property, Verdict};
use std::ops::Range;

/// What became of the formulas.
pub struct Checked {
    /// One by one.
    pub properties: Vec<Property>,
    /// What was evaluated again without symmetry, in words.
    pub again: Option<String>,
}

/// Whether the symmetry that a formula leaves is used for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduced {
    /// As the plan says.
    AsPlanned,
    /// Not at all, to compare with that.
    Never,
    /// Not at all, as the formula is about how states are reached.
    Past,
}

/// A formula under way.
#[derive(Clone, Copy)]
pub struct Formula<'a> {
    /// The check that it belongs to.
    pub of: &'a Conductor<'a>,
    /// Which question it is, by number.
    pub number: usize,
    /// The same.
    pub question: &'a Question,
    /// How many symmetries there are that do not care about it.
    pub order_without: Option<&'a String>,
    /// Whether symmetry is used.
    pub reduced: Reduced,
}

/// What became of all formulas that are asked for. If that was asked for, each is checked once more
/// without symmetry, and must have the same verdict.
pub fn all(
    conductor: &Conductor<'_>,
    order: Option<&String>,
    observer: &mut Observer<'_>,
) -> Checked {
    let checked = once(conductor, order, Reduced::AsPlanned, observer);
    if conductor.plan.how.self_check && !checked.properties.is_empty() {
        let words = "formulas were checked again without symmetry";
        conductor.listener.phase(words);
        let again = once(conductor, order, Reduced::Never, observer);
        recheck::compare_verdicts(&checked.properties, &again.properties);
    }
    checked
}

fn once(
    conductor: &Conductor<'_>,
    order: Option<&String>,
    reduced: Reduced,
    observer: &mut Observer<'_>,
) -> Checked {
    let (mut properties, mut again) = (Vec::new(), None);
    let questions = conductor.plan.model.questions();
    for &number in &conductor.plan.asked.formulas {
        conductor.listener.phase("formulas were checked");
        let formula = Formula {
            of: conductor,
            number,
            question: &questions[number],
            order_without: order,
            reduced,
        };
        let told = match &formula.question.asks {
            Asks::Linear(_) => formula.linear(observer),
            Asks::Branching(_) => {
                let (told, words) = formula.branching(observer);
                again = again.or(words);
                told
            }
            _ => continue,
        };
        conductor.listener.answered(&told);
        properties.push(told);
    }
    Checked { properties, again }
}

impl Formula<'_> {
    fn linear(&self, observer: &mut Observer<'_>) -> Property {
        let Asks::Linear(asked) = &self.question.asks else {
            unreachable!("a question about runs");
        };
        let Some(name) = &asked.member else {
            let mut told = self.instance(asked, 0, observer);
            if self.question.kind == "ltl" {
                told.notes.extend(self.suggestions(&told));
            }
            return told;
        };
        let value = |n: usize| asked.instances[n].value.unwrap_or_default();
        let classes = self.classes(0..asked.n_asked, &|a, b| asks_same(asked, a, b));
        let wholes = &asked.instances[..asked.n_asked];
        if classes.all.len() > 1 && wholes.iter().all(|whole| !whole.parts.is_empty()) {
            // Members whose formulas differ may have parts that do not.
            let parts = asked.n_asked..asked.instances.len();
            if let Some(told) = self.apart(asked, parts, observer) {
                return told;
            }
        }
        let mut one = |n: usize| self.instance(asked, n, observer);
        merged(each(&classes, &value, name, &mut one), Verdict::of_all)
    }

    /// What became of an instance: of its parts, if it is a conjunction of some that symmetries
    /// make of each other.
    fn instance(&self, asked: &Linear, n: usize, observer: &mut Observer<'_>) -> Property {
        let parts = asked.instances[n].parts.clone();
        let told = self.apart(asked, parts, observer);
        told.unwrap_or_else(|| temporal::check(self, asked, n, observer))
    }

    /// What became of the conjunction of these instances, one of each class; `None` if all differ,
    /// or if no symmetry is to be used, so that the whole formula can be compared with its parts.
    fn apart(
        &self,
        asked: &Linear,
        parts: Range<usize>,
        observer: &mut Observer<'_>,
    ) -> Option<Property> {
        if self.reduced == Reduced::Never || !self.has_symmetry() {
            return None;
        }
        let classes = self.classes(parts.clone(), &|a, b| asks_same(asked, a, b));
        if classes.all.len() == parts.len() {
            return None;
        }
        let value = |n: usize| (n - parts.start) as i32 + 1;
        let mut one = |n: usize| temporal::check(self, asked, n, observer);
        Some(merged(
            each(&classes, &value, PART, &mut one),
            Verdict::of_all,
        ))
    }

    /// What became of a formula of branching time, and what was looked at again, in words.
    fn branching(&self, observer: &mut Observer<'_>) -> (Property, Option<String>) {
        let Asks::Branching(asked) = &self.question.asks else {
            unreachable!("a question of branching time");
        };
        let mut again = None;
        let mut one = |n: usize| {
            let (told, words) = branching::check(self, asked, n, observer);
            again = words;
            told
        };
        let Some(bound) = &asked.bound else {
            let mut told = one(0);
            told.notes.extend(self.suggestions(&told));
            return (told, again);
        };
        let classes = self.classes(0..asked.instances.len(), &|_, _| true);
        let told = each(&classes, &|n| bound.values[n], &bound.name, &mut one);
        let mut told = if bound.all {
            merged(told, Verdict::of_all)
        } else {
            merged(told, of_some)
        };
        told.name.clone_from(&bound.text);
        (told, again.filter(|_| classes.all.len() == 1))
    }

    /// Whether symmetry is used, so that members may share an answer.
    fn has_symmetry(&self) -> bool {
        let plan = self.of.plan;
        plan.how.strategy.uses_symmetry() && matches!(plan.detect, Detect::Structure)
    }

    /// The classes of these instances, of which `same` says whether they ask the same.
    fn classes(&self, instances: Range<usize>, same: &dyn Fn(usize, usize) -> bool) -> Classes {
        let mut all: Vec<Vec<usize>> = Vec::new();
        let mut order = None;
        let mut left: Vec<usize> = instances.collect();
        while let Some(&first) = left.first() {
            let (like, others): (Vec<usize>, Vec<usize>) = left
                .into_iter()
                .partition(|n| *n == first || self.has_symmetry() && same(first, *n));
            left = others;
            if like.len() == 1 {
                all.push(like);
                continue;
            }
            let found = self.of.plan.model.classes(self.number, &like);
            let found = found.unwrap_or_else(|| Classes {
                all: (0..like.len()).map(|at| vec![at]).collect(),
                order: None,
            });
            let places = |class: Vec<usize>| class.into_iter().map(|at| like[at]).collect();
            all.extend(found.all.into_iter().map(places));
            order = order.or(found.order);
        }
        all.sort();
        Classes { all, order }
    }

    /// What costs symmetry in a property that was checked as a whole, and, if it names one member,
    /// for which others it is answered.
    fn suggestions(&self, told: &Property) -> Vec<String> {
        let costs = told.search.as_ref().is_some_and(|search| {
            let without = search.order_without.as_ref();
            without.is_some_and(|n| *n != search.order)
        });
        let is_whole = told.members.is_empty() && told.verdict != Verdict::Unknown;
        if !self.has_symmetry() || !costs || !is_whole || self.reduced == Reduced::Never {
            return Vec::new();
        }
        let (model, question) = (&*self.of.plan.model, self.number);
        let purpose = match &self.question.asks {
            Asks::Branching(_) => Purpose::Branching {
                question,
                instance: 0,
                fair: false,
            },
            _ => Purpose::Linear {
                question,
                instance: 0,
                stutters: true,
                fair: false,
            },
        };
        let clock = self.of.plan.how.clock;
        let atoms = breaking::words(model, &purpose, &told.atoms, clock);
        let named = model.same_answer(question).map(|(value, others)| {
            format!(
                "you asked about {value}; by symmetry the answer is the same for {}; all: \
                 `forall i: …`",
                list(&others)
            )
        });
        atoms.into_iter().chain(named).collect()
    }
}

/// The verdict of what must hold of one at least.
fn of_some(verdicts: Vec<Verdict>) -> Verdict {
    let has = |verdict| verdicts.contains(&verdict);
    if has(Verdict::Holds) {
        Verdict::Holds
    } else if has(Verdict::Unknown) {
        Verdict::Unknown
    } else {
        Verdict::Violated
    }
}

/// What a part of a conjunction is called.
const PART: &str = "part";

/// Whether two instances are one formula over atoms of their own.
fn asks_same(asked: &Linear, a: usize, b: usize) -> bool {
    let [a, b] = [a, b].map(|n| &asked.instances[n]);
    let is_same = match (&a.body, &b.body) {
        (Ok(Body::Formula(a)), Ok(Body::Formula(b))) => a == b,
        _ => false,
    };
    is_same && a.atoms.len() == b.atoms.len()
}

/// What became of the first of each class.
fn each(
    classes: &Classes,
    value: &dyn Fn(usize) -> i32,
    name: &str,
    one: &mut dyn FnMut(usize) -> Property,
) -> Vec<(Members, Property)> {
    let mut all = Vec::new();
    for class in &classes.all {
        let mut told = one(class[0]);
        let checked = value(class[0]);
        for violated in &mut told.violations {
            violated.message = format!("{}: {}", called(name, checked), violated.message);
        }
        let search = told.search.as_ref();
        let members = Members {
            name: name.to_owned(),
            checked,
            all: class.iter().map(|n| value(*n)).collect(),
            verdict: told.verdict,
            order: search.map(|search| search.order.clone()),
            order_without: classes.order.clone().filter(|_| class.len() > 1),
        };
        // Parts of a member are told in words.
        told.members.clear();
        all.push((members, told));
    }
    all
}

/// Many answers as one.
fn merged(parts: Vec<(Members, Property)>, verdict: impl Fn(Vec<Verdict>) -> Verdict) -> Property {
    let verdict = verdict(parts.iter().map(|(_, told)| told.verdict).collect());
    let mut parts = parts.into_iter();
    let (members, mut whole) = parts.next().expect("a range has a member");
    whole.notes.push(words(&members, &whole));
    whole.members.push(members);
    for (members, told) in parts {
        whole.notes.push(words(&members, &told));
        whole.members.push(members);
        whole.reason = whole.reason.or(told.reason);
        // Runs are told with the atoms of the property.
        if whole.violations.is_empty() && !told.violations.is_empty() {
            (whole.atoms, whole.violations) = (told.atoms, told.violations);
        } else if whole.atoms == told.atoms {
            whole.violations.extend(told.violations);
        }
        whole.shown = whole.shown.or(told.shown);
        match (&mut whole.search, told.search) {
            (Some(search), Some(more)) => add(search, more),
            (search, more) => *search = search.take().or(more),
        }
    }
    whole.verdict = verdict;
    if verdict != Verdict::Unknown {
        whole.reason = None;
    }
    if verdict == Verdict::Holds {
        whole.violations.clear();
    }
    whole
}

/// Two searches as one.
fn add(search: &mut OwnSearch, more: OwnSearch) {
    search.counts.n_states += more.counts.n_states;
    search.counts.n_transitions += more.counts.n_transitions;
    search.counts.depth = search.counts.depth.max(more.counts.depth);
    search.n_claim_states = search.n_claim_states.max(more.n_claim_states);
    search.peak_bytes = search.peak_bytes.max(more.peak_bytes);
    search.elapsed += more.elapsed;
    search.is_safety = (search.is_safety.zip(more.is_safety)).map(|(a, b)| a && b);
}

/// Which member is meant, in words.
fn called(name: &str, value: i32) -> String {
    if name == PART {
        format!("{name} {value}")
    } else {
        format!("{name} = {value}")
    }
}

/// The longest list of atoms that a part is told with, in bytes.
const ATOMS_MAX: usize = 60;

/// For whom it was checked, and for whom it follows.
fn words(members: &Members, told: &Property) -> String {
    let Members { name, checked, .. } = members;
    let verdict = members.verdict.word();
    let mut whom = called(name, *checked);
    let atoms = told.atoms.join(", ");
    if name == PART && atoms.len() <= ATOMS_MAX {
        whom += &format!(" ({atoms})");
    }
    let others = members.all.iter().filter(|value| *value != checked);
    let others: Vec<i32> = others.copied().collect();
    if others.is_empty() {
        format!("{whom}: {verdict}")
    } else {
        format!(
            "{whom}: {verdict}; by symmetry the same for {}",
            list(&others)
        )
    }
}

/// Numbers in words; runs of them are not written out.
fn list(values: &[i32]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    while at < values.len() {
        let follows = |n: &usize| values.get(at + n) == Some(&(values[at] + *n as i32));
        let n = (1..).take_while(follows).count();
        match n {
            0 | 1 => words.push(values[at].to_string()),
            _ => words.push(format!("{} to {}", values[at], values[at + n])),
        }
        at += if n < 2 { 1 } else { n + 1 };
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn runs_of_numbers_are_short() {
        assert_eq!(list(&[4]), "4");
        assert_eq!(list(&[0, 1]), "0, 1");
        assert_eq!(list(&[0, 2, 3, 4, 7]), "0, 2 to 4, 7");
        assert_eq!(list(&[1, 2, 3]), "1 to 3");
    }
}
