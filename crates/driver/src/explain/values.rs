//! The symmetry of a model of values: its sorts, which of their members are interchangeable, and
//! why.
//!
//! Worked example: `SETS Name; Mode = {idle, busy, broken}`. No operation treats `idle` and `busy`
//! in different ways; `repair` names `broken` only. With three names the group is `S3 x S2`: all
//! of `Name` is interchangeable because it is deferred, `idle` and `busy` are because they are used
//! alike, and `broken` is told from `idle` by the operation `repair`.
//!
//! What was found is shown only as far as it was certified on the typed machine; the rest is
//! listed as rejected.

use super::drawing::{Drawing, DrawnVertex};
use super::{rejected_section, wrapped};
use crate::plan::Listing;
use crate::{advice, details};
use base::Clock;
use model::frontend::SortWords;
use model::values::{Ground, Objection, Signature, Text};
use reduce::values::{CertifiedValues, certify};
use report::answer::{Answer, Exit, cause, unknown};
use report::object::{Exchangeable, Generator, Sort, Symmetries, ToldApart, TypedField};
use report::page::Page;
use report::words::short_number;
use std::collections::BTreeSet;

/// How many members of a set are shown.
const N_MEMBERS_MAX: usize = 16;

/// What a model of values is made of.
pub struct Values<'a> {
    /// What states hold.
    pub signature: &'a Signature,
    /// Why members may be interchangeable.
    pub grounds: Vec<Ground>,
    /// What that is checked on.
    pub text: Box<dyn Text + 'a>,
    /// How members are told.
    pub words: &'a dyn SortWords,
    /// Whether pictures are made.
    pub drawings: Listing,
}

/// The whole page.
pub fn page(values: &Values<'_>, clock: Clock<'static>, mut told: Symmetries) -> Answer {
    let Values {
        signature, words, ..
    } = *values;
    let certified = certify(signature, &values.grounds, &*values.text, clock);
    let over = certified.rejected().iter();
    let over = over
        .filter_map(|rejected| match rejected.objection {
            Objection::Unchecked(over) => Some(over),
            _ => None,
        })
        .next();
    if let Some(over) = over {
        let words = format!("{} while symmetries were checked", cause(over.into()));
        return unknown(over.into(), &words);
    }
    let mut page = Page::new();
    let sorts = details::values::sorts(signature, words, &certified);
    group(&certified, &mut page, &mut told);
    let rejected = certified.rejected().iter();
    let rejected = rejected.map(|one| details::values::rejected(one, signature, words));
    rejected_section(rejected.collect(), &mut page, &mut told);
    put_sorts(&sorts, &mut page);
    if values.drawings == Listing::Shown {
        told.drawings = drawn(&sorts);
    }
    told.sorts = sorts;
    told.types = fields(signature);
    put_types(&told.types, &mut page);
    told.limits = limits(words, &mut page);
    Answer::told(Exit::Holds, page, &told)
}

/// Sets with their elements; those that can be exchanged have one colour.
fn drawn(sorts: &[Sort]) -> Vec<report::object::Drawing> {
    let (mut vertices, mut arcs) = (Vec::new(), BTreeSet::new());
    let (mut n_colours, mut notes) = (0, Vec::new());
    for sort in sorts {
        let set = vertices.len();
        vertices.push(DrawnVertex {
            name: sort.name.clone(),
            is_left: true,
            colour: None,
        });
        for member in &sort.members {
            let mut classes = sort.interchangeable.iter();
            let class = classes.position(|class| class.members.contains(member));
            arcs.insert((set, vertices.len()));
            vertices.push(DrawnVertex {
                name: member.clone(),
                is_left: false,
                colour: class.map(|class| n_colours + class),
            });
        }
        n_colours += sort.interchangeable.len();
        let apart = sort.told_apart.iter();
        notes.extend(apart.map(|one| format!("{} and {}: {}", one.of[0], one.of[1], one.by)));
    }
    let title = "Sets and their elements; what can be exchanged has one colour".to_owned();
    Drawing::of(title, vertices, arcs).told(notes)
}

/// The group and its generators.
fn group(certified: &CertifiedValues, page: &mut Page, told: &mut Symmetries) {
    let order = certified.order().to_string();
    let shape = group::shape::name::describe(certified.group());
    let structure = shape.to_string();
    let generators = certified.group().generators().iter();
    let generators: Vec<String> = generators.map(|g| certified.cycles(g)).collect();
    if certified.is_trivial() {
        page.row("group", "trivial: nothing in a state is interchangeable")
    } else {
        let order = short_number(&order);
        page.row("group", &format!("{structure}, order {order}"));
        page.column("generators", &generators);
    }
    let advice = advice::strategy(certified.group(), &shape);
    page.row("advice", &advice);
    told.advice = Some(advice);
    told.group_order = Some(order);
    told.structure = Some(structure);
    told.generators = generators.into_iter().map(Generator::new).collect();
}

/// The sets of the machine.
fn put_sorts(sorts: &[Sort], page: &mut Page) {
    let mut lines = Vec::new();
    for sort in sorts {
        let title = format!("{} = {} ({})", sort.name, set(&sort.members), sort.kind);
        lines.extend(wrapped(&title));
        let mut reasons: Vec<String> = sort
            .interchangeable
            .iter()
            .map(|alike| {
                let Exchangeable { members, reason } = alike;
                if members.len() == sort.members.len() {
                    format!("all are interchangeable: {reason}")
                } else {
                    format!("{} are interchangeable: {reason}", set(members))
                }
            })
            .collect();
        match sort.members.len() {
            1 => reasons.push("it has one element".to_owned()),
            _ => reasons.extend(
                sort.apart
                    .iter()
                    .map(|why| format!("its elements stay: {why}")),
            ),
        }
        if sort.in_states == Some(false) {
            reasons.push("no state holds its elements".to_owned());
        }
        let told = sort.told_apart.iter();
        reasons.extend(
            told.map(|ToldApart { of: [a, b], by }| format!("{a} and {b}: {by} tells them apart")),
        );
        let reasons = reasons.iter().flat_map(|reason| wrapped(reason));
        lines.extend(reasons.map(|line| format!("  {line}")));
    }
    if lines.is_empty() {
        page.row("sets", "none, so there is nothing to exchange")
    } else {
        page.listing("sets", &lines)
    }
}

/// What makes the symmetry useless if it is met, in words.
fn limits(of: &dyn SortWords, page: &mut Page) -> Vec<String> {
    let given = of.limits().into_iter();
    let words: Vec<String> = given
        .map(|(name, n)| {
            format!(
                "{name} = {n}: with `--machine-limits`, `orbit check` uses no symmetry where a \
                 state has more ways"
            )
        })
        .collect();
    if !words.is_empty() {
        page.listing("limits", &words);
    }
    words
}

/// Members in braces, some of them if they are many.
fn set(members: &[String]) -> String {
    match members.len() {
        n if n > N_MEMBERS_MAX => {
            let shown = members[..N_MEMBERS_MAX / 2].join(" ");
            format!("{{{shown} … {}}} ({n})", members[n - 1])
        }
        _ => format!("{{{}}}", members.join(" ")),
    }
}

/// What states hold.
fn fields(signature: &Signature) -> Vec<TypedField> {
    let constants = signature.constants.iter().map(|field| (field, true));
    let variables = signature.variables.iter().map(|field| (field, false));
    let typed = constants.chain(variables).map(|(field, constant)| {
        let mut sets = Vec::new();
        let ty = field.ty.words(&mut |sort| {
            let name = signature.sort(sort).name.clone();
            if !sets.contains(&name) {
                sets.push(name.clone());
            }
            name
        });
        TypedField {
            name: field.name.clone(),
            constant,
            ty,
            sets,
        }
    });
    typed.collect()
}

/// The types of constants and variables that can hold elements of sets.
fn put_types(fields: &[TypedField], page: &mut Page) {
    let about_sets = fields.iter().filter(|field| !field.sets.is_empty());
    let lines: Vec<String> = about_sets
        .flat_map(|field| {
            let what = if field.constant { " (constant)" } else { "" };
            wrapped(&format!("{}: {}{what}", field.name, field.ty))
        })
        .collect();
    if !lines.is_empty() {
        page.listing("types", &lines);
    }
}
