//! `orbit symmetry` of a B machine: its sets, which of their elements are alike, and why.
//!
//! Worked example: `SETS Name; Mode = {idle, busy, broken}`. No operation treats `idle` and `busy`
//! in different ways; `repair` names `broken` only. With three names the group is `S3 x S2`: all
//! of `Name` is interchangeable because it is deferred, `idle` and `busy` are because they are used
//! alike, and `broken` is told from `idle` by the operation `repair`.
//!
//! What was found is shown only as far as it was certified on the typed machine; the rest is
//! listed as rejected.

use super::sections::{rejected_section, wrapped};
use crate::answer::{Answer, Exit};
use crate::deadline;
use crate::details::rejected_members;
use crate::group_cmd::short_number;
use crate::page::Page;
use crate::plan::MachineSymmetry;
use crate::watchdog::cause;
use base::Span;
use bmachine::alike;
use bmachine::exchange::MachineText;
use bmachine::run::Program;
use model::values::{Objection, SortId};
use reduce::values::{Certified, certify};
use serde_json::{Map, Value, json};

/// How many pairs of elements of a set are compared, to say what tells them apart.
const N_PAIRS_MAX: usize = 64;
/// How many members of a set are shown.
const N_MEMBERS_MAX: usize = 16;

/// What is known of one set.
struct Known {
    name: String,
    members: Vec<String>,
    is_deferred: bool,
    /// Elements that are alike, two or more each, and why.
    alike: Vec<(Vec<String>, &'static str)>,
    /// Elements that are like no other.
    single: Vec<String>,
    /// Why nothing of it moves although elements might be alike.
    stays: Option<String>,
    /// Elements that are not alike, and what tells them apart.
    told_apart: Vec<(String, String, String)>,
    /// Whether states can hold its members.
    is_held: bool,
}

/// The whole page.
pub fn page(plan: &MachineSymmetry) -> Answer {
    let program = &plan.program;
    let machine = program.machine();
    let grounds = alike::grounds(machine);
    let text = MachineText::new(machine);
    let certified = certify(program.signature(), &grounds, &text, plan.clock);
    let unchecked = certified.rejected().iter();
    if let Some(over) = unchecked
        .clone()
        .find_map(|rejected| match rejected.objection {
            Objection::Unchecked(over) => Some(over),
            _ => None,
        })
    {
        let words = format!("{} while symmetries were checked", cause(over.into()));
        return deadline::unknown(over.into(), &words);
    }
    let mut page = Page::new();
    let known: Vec<Known> = (0..program.signature().sorts.len())
        .map(|s| known(program, &certified, SortId::new(s)))
        .collect();
    let sizes: Map<String, Value> = known
        .iter()
        .map(|sort| (sort.name.clone(), json!(sort.members.len())))
        .collect();
    page.field(
        "model",
        json!({ "path": plan.path, "language": "b", "set_sizes": sizes }),
    );
    group(&certified, &mut page);
    rejected(plan, &certified, &mut page);
    sorts(&known, &mut page);
    limits(program, &mut page);
    Answer::new(Exit::Holds, page)
}

/// The group and its generators.
fn group(certified: &Certified, page: &mut Page) {
    let order = certified.order().to_string();
    let structure = group::shape::name::describe(certified.group()).to_string();
    let generators = certified.group().generators().iter();
    let generators: Vec<String> = generators.map(|g| certified.cycles(g)).collect();
    match certified.is_trivial() {
        true => page.row("group", "trivial: nothing in a state is interchangeable"),
        false => {
            let order = short_number(&order);
            page.row("group", &format!("{structure}, order {order}"));
            page.column("generators", &generators);
        }
    }
    page.field("group_order", order);
    page.field("structure", structure);
    page.field("generators", generators);
}

/// What was found and not certified.
fn rejected(plan: &MachineSymmetry, certified: &Certified, page: &mut Page) {
    let line = |span: Span| {
        let source = plan.sources.get(span.source);
        source.line_of(span.range().start) as u32
    };
    let signature = plan.program.signature();
    let told = certified.rejected().iter();
    let told = told.map(|rejected| rejected_members(rejected, signature, &line));
    rejected_section(&told.collect::<Vec<_>>(), page);
}

fn known(program: &Program, certified: &Certified, sort: SortId) -> Known {
    let machine = program.machine();
    let own = program.signature().sort(sort);
    let is_deferred = machine.sorts[sort.index()].elements.is_none();
    let named = alike::named_elements(machine);
    let name = |e: &usize| own.members[*e].clone();
    let blocks = &certified.blocks()[sort.index()];
    let why = |block: &[usize]| match is_deferred {
        true => "no formula of B can tell them apart",
        false if block.iter().all(|e| !named[sort.index()].contains(e)) => "they are never named",
        false => "they are used alike",
    };
    let single = (0..own.members.len()).filter(|e| !blocks.iter().any(|b| b.contains(e)));
    let single: Vec<usize> = single.collect();
    let stays = certified.apart().iter().find(|apart| apart.sort == sort);
    let classes = blocks.iter().map(|block| block[0]).chain(single.clone());
    let classes: Vec<usize> = classes.collect();
    let pairs = classes.iter().skip(1).take(N_PAIRS_MAX);
    let told_apart = pairs.filter_map(|other| {
        let by = alike::told_apart(machine, sort, (classes[0], *other))?;
        Some((name(&classes[0]), name(other), by))
    });
    Known {
        told_apart: told_apart.collect(),
        alike: blocks
            .iter()
            .map(|block| (block.iter().map(name).collect(), why(block)))
            .collect(),
        single: single.iter().map(name).collect(),
        stays: stays.map(|apart| apart.reason.clone()),
        is_held: blocks.is_empty() || certified.act().points().moves(sort),
        name: own.name.clone(),
        members: own.members.clone(),
        is_deferred,
    }
}

/// The sets of the machine.
fn sorts(known: &[Known], page: &mut Page) {
    let mut lines = Vec::new();
    for sort in known {
        let kind = if sort.is_deferred {
            "deferred"
        } else {
            "enumerated"
        };
        let title = format!("{} = {} ({kind})", sort.name, set(&sort.members));
        lines.extend(wrapped(&title));
        let mut reasons: Vec<String> = sort
            .alike
            .iter()
            .map(|(block, why)| match block.len() == sort.members.len() {
                true => format!("all are interchangeable: {why}"),
                false => format!("{} are interchangeable: {why}", set(block)),
            })
            .collect();
        match sort.members.len() {
            1 => reasons.push("it has one element".to_owned()),
            _ => reasons.extend(
                sort.stays
                    .iter()
                    .map(|why| format!("its elements stay: {why}")),
            ),
        }
        if !sort.is_held {
            reasons.push("no state holds its elements".to_owned());
        }
        let told = sort.told_apart.iter();
        reasons.extend(told.map(|(a, b, by)| format!("{a} and {b}: {by} tells them apart")));
        let reasons = reasons.iter().flat_map(|reason| wrapped(reason));
        lines.extend(reasons.map(|line| format!("  {line}")));
    }
    match lines.is_empty() {
        true => page.row("sets", "none, so there is nothing to exchange"),
        false => page.listing("sets", &lines),
    }
    let json = known.iter().map(sort_json);
    page.field("sorts", json.collect::<Vec<Value>>());
}

fn sort_json(sort: &Known) -> Value {
    let alike = sort.alike.iter();
    let told = sort.told_apart.iter();
    json!({
        "name": sort.name,
        "kind": if sort.is_deferred { "deferred" } else { "enumerated" },
        "members": sort.members,
        "interchangeable": alike
            .map(|(block, why)| json!({ "members": block, "reason": why }))
            .collect::<Vec<Value>>(),
        "single": sort.single,
        "apart": sort.stays,
        "in_states": sort.is_held,
        "told_apart": told
            .map(|(a, b, by)| json!({ "of": [a, b], "by": by }))
            .collect::<Vec<Value>>(),
    })
}

/// What makes the symmetry useless if it is met.
fn limits(program: &Program, page: &mut Page) {
    let settings = &program.machine().settings;
    let all = [
        ("SET_PREF_MAX_OPERATIONS", settings.max_operations),
        ("SET_PREF_MAX_INITIALISATIONS", settings.max_initialisations),
    ];
    let given = all.iter().filter_map(|(name, n)| Some((*name, (*n)?)));
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
    page.field("limits", words);
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
