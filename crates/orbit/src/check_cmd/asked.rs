//! What is asked of infinite runs and of branching time, property by property.
//!
//! A property that is asked of several members (`forall i: …`) is checked for one of each class
//! ([`members`]), and told as one. A property that names one member is told to be answered for the
//! others of its class, too. Without symmetry each member is checked, and nothing is said of
//! others.

use super::temporal::Reduced;
use super::{branching, members, temporal};
use crate::plan::{Detect, SearchPlan};
use crate::watchdog;
use check::Observer;
use members::Classes;
use model::processes::expr::ExprId;
use model::processes::property::{Body, Kind};
use report::{Members, OwnSearch, Property, Verdict};
use strategies::Strategy;

/// What became of all properties of infinite runs that are asked for.
pub fn linear(
    plan: &SearchPlan,
    order: Option<&String>,
    reduced: Reduced,
    observer: &mut Observer<'_>,
) -> Vec<Property> {
    let mut all: Vec<Property> = Vec::new();
    for family in plan.model.families(&plan.temporal.asked) {
        all.last().into_iter().for_each(watchdog::answered);
        watchdog::phase("formulas were checked");
        let family: Vec<_> = family.iter().map(|n| &plan.model.properties[*n]).collect();
        let mut one = |n: usize| temporal::check(plan, family[n], order, reduced, observer);
        let Some(index) = &family[0].index else {
            let mut told = one(0);
            if family[0].kind == Kind::Ltl {
                let named = suggestion(plan, &family[0].atoms, &told);
                told.notes.extend(named);
            }
            all.push(told);
            continue;
        };
        let values: Vec<i32> = family
            .iter()
            .filter_map(|p| Some(p.index.as_ref()?.value))
            .collect();
        let shapes: Vec<_> = family.iter().map(|p| (&p.body, &p.atoms[..])).collect();
        let same = |a: &Body, b: &Body| match (a, b) {
            (Body::Formula(a), Body::Formula(b)) => a == b,
            _ => false,
        };
        let classes = classes(plan, &shapes, same);
        let told = each(&classes, &values, &index.name, &mut one);
        all.push(merged(told, Verdict::of_all));
    }
    all
}

/// What became of the formula of branching time, and what was looked at again, in words.
pub fn branching(
    plan: &SearchPlan,
    order: Option<&String>,
    reduced: Reduced,
    observer: &mut Observer<'_>,
) -> Option<(Property, Option<String>)> {
    let asked = plan.ctl.as_ref()?;
    let mut again = None;
    let mut one = |n: usize| {
        let instance = &asked.instances[n];
        let (told, words) = branching::check(plan, instance, order, reduced, observer);
        again = words;
        told
    };
    let Some(bound) = &asked.bound else {
        let mut told = one(0);
        let named = suggestion(plan, &asked.instances[0].atoms, &told);
        told.notes.extend(named);
        return Some((told, again));
    };
    let shapes: Vec<_> = asked
        .instances
        .iter()
        .map(|i| (&i.formula, &i.atoms[..]))
        .collect();
    let classes = classes(plan, &shapes, |a, b| a == b);
    let told = each(&classes, &bound.values, &bound.name, &mut one);
    let mut told = if bound.all {
        merged(told, Verdict::of_all)
    } else {
        merged(told, of_some)
    };
    told.name.clone_from(&bound.text);
    Some((told, again.filter(|_| classes.all.len() == 1)))
}

/// The verdict of what must hold of one at least.
fn of_some(verdicts: Vec<Verdict>) -> Verdict {
    let has = |verdict| verdicts.contains(&verdict);
    match () {
        () if has(Verdict::Holds) => Verdict::Holds,
        () if has(Verdict::Unknown) => Verdict::Unknown,
        () => Verdict::Violated,
    }
}

/// Whether symmetry is used, so that members may share an answer.
fn has_symmetry(plan: &SearchPlan) -> bool {
    plan.manner.reduce != Strategy::None && matches!(plan.detect, Detect::Structure)
}

/// The classes of members with these bodies and atoms; bodies must be the same in a class.
fn classes<B>(
    plan: &SearchPlan,
    shapes: &[(&B, &[ExprId])],
    same: impl Fn(&B, &B) -> bool,
) -> Classes {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut order = None;
    let mut left: Vec<usize> = (0..shapes.len()).collect();
    while let Some(&first) = left.first() {
        let (body, atoms) = shapes[first];
        let (like, others): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|n| {
            let (other, list) = shapes[*n];
            has_symmetry(plan) && same(body, other) && list.len() == atoms.len() || *n == first
        });
        left = others;
        if like.len() == 1 {
            all.push(like);
            continue;
        }
        let lists: Vec<&[ExprId]> = like.iter().map(|n| shapes[*n].1).collect();
        let found = members::classes(&plan.model.lowered, &lists);
        let places = |class: Vec<usize>| class.into_iter().map(|at| like[at]).collect();
        all.extend(found.all.into_iter().map(places));
        order = order.or(found.order);
    }
    all.sort();
    Classes { all, order }
}

/// What became of the first of each class.
fn each(
    classes: &Classes,
    values: &[i32],
    name: &str,
    one: &mut dyn FnMut(usize) -> Property,
) -> Vec<(Members, Property)> {
    let mut all = Vec::new();
    for class in &classes.all {
        let mut told = one(class[0]);
        let checked = values[class[0]];
        for violated in &mut told.violations {
            violated.message = format!("{name} = {checked}: {}", violated.message);
        }
        let search = told.search.as_ref();
        let members = Members {
            name: name.to_owned(),
            checked,
            all: class.iter().map(|n| values[*n]).collect(),
            verdict: told.verdict,
            order: search.map(|search| search.order.clone()),
            order_without: classes.order.clone().filter(|_| class.len() > 1),
        };
        all.push((members, told));
    }
    all
}

/// Many answers as one.
fn merged(parts: Vec<(Members, Property)>, verdict: impl Fn(Vec<Verdict>) -> Verdict) -> Property {
    let verdict = verdict(parts.iter().map(|(_, told)| told.verdict).collect());
    let mut parts = parts.into_iter();
    let (members, mut whole) = parts.next().expect("a range has a member");
    whole.notes.push(words(&members));
    whole.members.push(members);
    for (members, told) in parts {
        whole.notes.push(words(&members));
        whole.members.push(members);
        whole.reason = whole.reason.or(told.reason);
        whole.violations.extend(told.violations);
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

/// For whom it was checked, and for whom it follows.
fn words(members: &Members) -> String {
    let Members { name, checked, .. } = members;
    let verdict = members.verdict.word();
    let others = members.all.iter().filter(|value| *value != checked);
    let others: Vec<i32> = others.copied().collect();
    if others.is_empty() {
        format!("{name} = {checked}: {verdict}")
    } else {
        format!(
            "{name} = {checked}: {verdict}; by symmetry the same for {}",
            list(&others)
        )
    }
}

/// That a property which names one member is answered for others, too.
fn suggestion(plan: &SearchPlan, atoms: &[ExprId], told: &Property) -> Option<String> {
    let search = told.search.as_ref()?;
    let costs = search
        .order_without
        .as_ref()
        .is_some_and(|n| *n != search.order);
    if !has_symmetry(plan) || !costs || told.verdict == Verdict::Unknown {
        return None;
    }
    let (value, others) = members::named(&plan.model.lowered, atoms)?;
    Some(format!(
        "you asked about {value}; by symmetry the answer is the same for {}",
        list(&others)
    ))
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
