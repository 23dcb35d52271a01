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
use crate::details::{self, rejected_members};
use crate::group_cmd::short_number;
use crate::page::Page;
use crate::plan::MachineSymmetry;
use crate::watchdog::cause;
use base::Span;
use bmachine::alike;
use bmachine::exchange::MachineText;
use bmachine::run::Program;
use model::values::Objection;
use reduce::values::{CertifiedValues, certify};
use report::object::{Exchangeable, Generator, Sort, Symmetries, ToldApart};

/// How many members of a set are shown.
const N_MEMBERS_MAX: usize = 16;

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
    let sorts = details::machine::sorts(program, &certified);
    let sizes = sorts.iter();
    let mut told = Symmetries::new(report::Model {
        set_sizes: sizes.map(|s| (s.name.clone(), s.members.len())).collect(),
        ..report::Model::new(&plan.path, "b")
    });
    group(&certified, &mut page, &mut told);
    rejected(plan, &certified, &mut page, &mut told);
    put_sorts(&sorts, &mut page);
    told.sorts = sorts;
    told.limits = limits(program, &mut page);
    Answer::told(Exit::Holds, page, &told)
}

/// The group and its generators.
fn group(certified: &CertifiedValues, page: &mut Page, told: &mut Symmetries) {
    let order = certified.order().to_string();
    let structure = group::shape::name::describe(certified.group()).to_string();
    let generators = certified.group().generators().iter();
    let generators: Vec<String> = generators.map(|g| certified.cycles(g)).collect();
    if certified.is_trivial() {
        page.row("group", "trivial: nothing in a state is interchangeable")
    } else {
        let order = short_number(&order);
        page.row("group", &format!("{structure}, order {order}"));
        page.column("generators", &generators);
    }
    told.group_order = Some(order);
    told.structure = Some(structure);
    told.generators = generators.into_iter().map(Generator::new).collect();
}

/// What was found and not certified.
fn rejected(
    plan: &MachineSymmetry,
    certified: &CertifiedValues,
    page: &mut Page,
    told: &mut Symmetries,
) {
    let line = |span: Span| {
        let source = plan.sources.get(span.source);
        source.line_of(span.range().start) as u32
    };
    let signature = plan.program.signature();
    let all = certified.rejected().iter();
    let all = all.map(|rejected| rejected_members(rejected, signature, &line));
    rejected_section(all.collect(), page, told);
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
fn limits(program: &Program, page: &mut Page) -> Vec<String> {
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
