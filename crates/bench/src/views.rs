//! The suite `view`: how large views of state spaces are.
//!
//! Two tables. *printed* has the machines of E. N. Turner's tables 3.1 and B.1 (2007) whose texts
//! there are: ours beside what is printed, without symmetry. Counting is as in the thesis: the
//! state before the set-up counts, a transition of the signature picture is a pair of a node and a
//! label, and the empty set is a state of the automaton. Its minimal automaton is ours: the thesis
//! takes the automaton to be minimal already. *models* has our own models: the sizes of each view,
//! and how long it takes to make it.

use super::Bench;
use super::clock::pace;
use super::record::{Figures, RunOutcome};
use super::table::{aligned, duration};
use super::views_rows::{MODELS, PRINTED, PrintedView, ViewModel, ViewText};
use driver::states::{Explored, StatesRequest, explore};
use orbit::plan::ViewPlan;
use view::Space;
use view::abstraction::dfa::{Dfa, DfaOptions};
use view::abstraction::{Alpha, AlphaRules, Quotient, bisimulation, signature};

/// The name of the suite, and of its second table.
pub const SUITE: &str = "view";
/// The first table.
const PRINTED_TABLE: &str = "printed";

/// The most nodes of an automaton that is made, and states in all of its nodes.
const DFA_NODES_MAX: usize = 20_000;
const DFA_MEMBERS_MAX: usize = 20_000_000;

const HEADING: &str = "\
States are counted with the one before the set-up of a machine. In parentheses is what is printed.

";

/// A size that was measured.
#[derive(Clone, Copy, PartialEq, Debug)]
struct ViewFigures {
    /// Nodes.
    n_nodes: u64,
    /// Edges, as the table counts them.
    n_edges: u64,
    /// How long it took, in seconds.
    seconds: f64,
}

/// What there is of a model.
struct ModelViews {
    space: ViewFigures,
    signature: Option<ViewFigures>,
    dfa: Option<ViewFigures>,
    minimal: Option<ViewFigures>,
    bisimulation: ViewFigures,
}

/// Measures every case that was asked for, and makes the tables.
pub fn run(bench: &mut Bench) {
    let mut tables = Vec::new();
    let printed = printed(bench);
    if printed.len() > 1 {
        tables.push(aligned(&printed));
    }
    let models = models(bench);
    if models.len() > 1 {
        tables.push(aligned(&models));
    }
    bench.text = HEADING.to_owned() + &tables.join("\n");
}

fn printed(bench: &mut Bench) -> Vec<Vec<String>> {
    let columns = [
        "printed", "states", "trans.", "sig S", "sig T", "dfa S", "dfa T",
    ];
    let columns = columns.iter().chain(&["min S", "min T"]);
    let mut rows = vec![columns.map(|&column| column.to_owned()).collect()];
    for row in PRINTED {
        if !bench.wants(PRINTED_TABLE, row.case) {
            continue;
        }
        let (file, text) = match (row.text, &bench.corpus) {
            (ViewText::Own(text), _) => (format!("{}.mch", row.case), text.to_owned()),
            (ViewText::Corpus(file), Some(folder)) => {
                let text = std::fs::read_to_string(folder.join(file));
                match text {
                    Ok(text) => (file.to_owned(), text),
                    Err(why) => {
                        let failed = RunOutcome::Failed(format!("{file}: {why}"));
                        bench.add(SUITE, row.case, "orbit", failed);
                        continue;
                    }
                }
            }
            (ViewText::Corpus(_), None) => continue,
        };
        let size = match row.text {
            ViewText::Own(_) => 3,
            ViewText::Corpus(_) => 2,
        };
        let flags = [
            "--no-symmetry".to_owned(),
            format!("--default-set-size={size}"),
        ];
        match measured(bench, (&file, &text), &flags) {
            Ok(views) => {
                rows.push(printed_line(&row, &views));
                add(bench, row.case, &views, Some(&row));
            }
            Err(why) => bench.add(SUITE, row.case, "orbit", why),
        }
    }
    rows
}

fn printed_line(row: &PrintedView, views: &ModelViews) -> Vec<String> {
    let cell = |ours: Option<u64>, printed: u64| match ours {
        Some(ours) if ours == printed => ours.to_string(),
        Some(ours) => format!("{ours} ({printed})"),
        None => format!("- ({printed})"),
    };
    let nodes = |figures: &Option<ViewFigures>| figures.map(|f| f.n_nodes);
    let edges = |figures: &Option<ViewFigures>| figures.map(|f| f.n_edges);
    let own = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    vec![
        row.case.to_owned(),
        cell(Some(views.space.n_nodes), row.space[0]),
        cell(Some(views.space.n_edges), row.space[1]),
        cell(nodes(&views.signature), row.signature[0]),
        cell(edges(&views.signature), row.signature[1]),
        cell(nodes(&views.dfa).map(|n| n + 1), row.dfa[0]),
        cell(edges(&views.dfa), row.dfa[1]),
        own(nodes(&views.minimal)),
        own(edges(&views.minimal)),
    ]
}

fn models(bench: &mut Bench) -> Vec<Vec<String>> {
    let columns = [
        "models",
        "all states",
        "orbits",
        "explored",
        "signature",
        "",
    ];
    let more = ["dfa", "", "minimal", "bisimulation", ""];
    let columns = columns.iter().chain(&more);
    let mut rows = vec![columns.map(|&column| column.to_owned()).collect()];
    for model in MODELS {
        if !bench.wants(SUITE, model.file) {
            continue;
        }
        let flags: Vec<String> = model.flags.split_whitespace().map(str::to_owned).collect();
        let views = match measured(bench, (model.file, model.text), &flags) {
            Ok(views) => views,
            Err(why) => {
                bench.add(SUITE, model.file, "orbit", why);
                continue;
            }
        };
        let all = all_states(bench, model, &flags);
        let own = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
        let size = |figures: &Option<ViewFigures>| own(figures.map(|f| f.n_nodes));
        let time =
            |figures: &Option<ViewFigures>| figures.map_or(String::new(), |f| duration(f.seconds));
        let bisimulation = Some(views.bisimulation);
        rows.push(vec![
            model.file.to_owned(),
            own(all),
            views.space.n_nodes.to_string(),
            duration(views.space.seconds),
            size(&views.signature),
            time(&views.signature),
            size(&views.dfa),
            time(&views.dfa),
            size(&views.minimal),
            size(&bisimulation),
            time(&bisimulation),
        ]);
        add(bench, model.file, &views, None);
    }
    rows
}

/// How many states there are without symmetry, if a search within the limits sees all.
fn all_states(bench: &Bench, model: &ViewModel, flags: &[String]) -> Option<u64> {
    let mut flags = flags.to_vec();
    // A process that is explored by itself has no symmetry that could be left out.
    if !model.file.ends_with(".csp") {
        flags.push("--no-symmetry".to_owned());
    }
    let plan = plan(bench, (model.file, model.text), &flags).ok()?;
    let explored = explored(&plan).ok()?;
    let n_states = explored.space.n_states() as u64;
    explored.cut.is_none().then_some(n_states)
}

/// What a view of a text would be made of.
fn plan(
    bench: &Bench,
    (file, text): (&str, &str),
    flags: &[String],
) -> Result<ViewPlan, RunOutcome> {
    let path = bench.folder.write(file, text);
    let path = path.map_err(|why| RunOutcome::Failed(why.to_string()))?;
    let mut words = vec![
        path.display().to_string(),
        format!("--time={}s", bench.limit.as_secs_f64()),
    ];
    words.extend(flags.iter().cloned());
    orbit::plan::of_view(&words).map_err(|why| RunOutcome::Failed(why.words()))
}

fn explored(plan: &ViewPlan) -> Result<Explored<'_>, RunOutcome> {
    let request = StatesRequest {
        model: &*plan.model,
        has_predicate: false,
        how: plan.how.clone(),
        n_states_max: plan.n_states_max,
    };
    explore(&request, &mut |_| {}).map_err(|why| RunOutcome::Failed(why.message))
}

/// All views of a text.
fn measured(bench: &Bench, text: (&str, &str), flags: &[String]) -> Result<ModelViews, RunOutcome> {
    let plan = plan(bench, text, flags)?;
    let mut seen = Err(RunOutcome::Failed("nothing was explored".to_owned()));
    let pace_of_search = pace(0.0, |_| seen = explored(&plan));
    let seen = seen?;
    if seen.cut.is_some() {
        return Err(RunOutcome::Limit(pace_of_search.each()));
    }
    let space = &seen.space;
    let alpha = Alpha::new(space, &AlphaRules::default());
    let bisimilar = timed(bench, &mut || {
        let blocks = bisimulation::blocks(space, &alpha);
        Some((
            blocks.n,
            Quotient::new(space, &alpha, &blocks).size().n_pairs,
        ))
    });
    Ok(ModelViews {
        space: ViewFigures {
            n_nodes: space.n_states() as u64,
            n_edges: space.n_transitions() as u64,
            seconds: pace_of_search.each(),
        },
        signature: timed(bench, &mut || {
            let blocks = signature::blocks(space, &alpha, 1).ok()?;
            Some((
                blocks.n,
                Quotient::new(space, &alpha, &blocks).size().n_pairs,
            ))
        }),
        dfa: timed(bench, &mut || automaton(space, &alpha, false)),
        minimal: timed(bench, &mut || automaton(space, &alpha, true)),
        bisimulation: bisimilar.expect("a number of blocks"),
    })
}

fn automaton(space: &Space, alpha: &Alpha, is_minimised: bool) -> Option<(usize, usize)> {
    let options = DfaOptions {
        is_minimised,
        n_nodes_max: DFA_NODES_MAX,
        n_members_max: DFA_MEMBERS_MAX,
    };
    let dfa = Dfa::new(space, alpha, options).ok()?;
    Some((dfa.n_nodes(), dfa.edges().len()))
}

/// The size that `make` gives, and how long that takes.
fn timed(bench: &Bench, make: &mut dyn FnMut() -> Option<(usize, usize)>) -> Option<ViewFigures> {
    let mut size = None;
    let pace = pace(bench.seconds.min(0.1), |_| size = make());
    let (n_nodes, n_edges) = size?;
    Some(ViewFigures {
        n_nodes: n_nodes as u64,
        n_edges: n_edges as u64,
        seconds: pace.each(),
    })
}

/// Keeps and shows what was measured.
fn add(bench: &mut Bench, case: &str, views: &ModelViews, printed: Option<&PrintedView>) {
    let agrees = |ours: &ViewFigures, printed: Option<[u64; 2]>, more: u64| {
        printed.map(|printed| [ours.n_nodes + more, ours.n_edges] == printed)
    };
    let all = [
        ("orbit", Some(views.space), printed.map(|row| row.space), 0),
        (
            "orbit signature",
            views.signature,
            printed.map(|row| row.signature),
            0,
        ),
        ("orbit dfa", views.dfa, printed.map(|row| row.dfa), 1),
        ("orbit dfa minimal", views.minimal, None, 0),
        ("orbit bisimulation", Some(views.bisimulation), None, 0),
    ];
    for (tool, figures, printed, more) in all {
        let Some(figures) = figures else {
            let why = format!("more than {DFA_NODES_MAX} nodes");
            bench.add(SUITE, case, tool, RunOutcome::Failed(why));
            continue;
        };
        let pace = super::clock::Pace {
            times: 1,
            cpu_seconds: figures.seconds,
        };
        let outcome = RunOutcome::of(pace).agreeing(agrees(&figures, printed, more));
        let figures = Figures {
            n_states: figures.n_nodes,
            n_transitions: figures.n_edges,
            bytes_per_state: None,
            shares: None,
        };
        bench.add_figures(SUITE, case, tool, outcome, figures);
    }
}
