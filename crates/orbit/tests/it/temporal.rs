//! Infinite runs: verdicts with symmetry and without, with our passes and without, with every kind
//! of fairness, beside each other and beside SPIN's.
//!
//! Models run in this process, through the same libraries as the binary. [`Asking::violated`] is
//! the one question; everything else compares its answers:
//! - `models`: our own models of `models/promela/liveness`, whose headers say what is expected, and
//!   quotients that are wrong on purpose;
//! - `instances`: public variables in formulas, and numbers of instances;
//! - `random`: random models with random formulas; with `ORBIT_ORACLES=1` also beside SPIN;
//! - `corpus`: models by other people, where they are on the machine.

mod branching;
mod corpus;
mod instances;
mod members;
mod models;
mod random;

use base::{Diagnostic, Diagnostics, SourceId, Sources, Span};
use check::temporal::{Asked, Beside, Fairness, MOVES_MAX, Product, Wanted};
use check::{Attention, Ended, Identity, Options, Order, Symmetry, Verdict};
use model::Machine;
use model::processes::expr::{Expr, ExprId};
use model::processes::passes::{Setting, Watch, apply};
use model::processes::program::Model;
use model::processes::property::{Body, Kind, Property};
use promela::lower::{Ends, FullChannels, lower_all};
use reduce::processes::Found;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use strategies::Strategy;
use system::formula::Formula;

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fair {
    /// All.
    None,
    /// See [`Fairness::Weak`].
    Weak,
    /// See [`Fairness::Strong`].
    Strong,
}

/// All kinds.
pub const FAIR: [Fair; 3] = [Fair::None, Fair::Weak, Fair::Strong];

/// Which states stand for others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// None.
    Trivial,
    /// By the symmetries that keep the atoms.
    Certified,
    /// By the symmetries that keep the atoms, but forgetting whom they move: wrong.
    Forgetful,
    /// By the symmetries of the model, whatever they do to the atoms: wrong.
    Careless,
}

/// How a question is answered.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub setting: Setting,
    pub group: Group,
    pub fair: Fair,
    /// Whether runs that end do not count.
    pub endless: bool,
}

/// A model with what is asked of it.
pub struct Asking {
    model: Model,
    pub properties: Vec<Property>,
}

impl Asking {
    /// The model in `text`, or the first message that says why there is none.
    pub fn read(text: &str) -> Result<Asking, String> {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let main: SourceId = sources.add("model.pml", text);
        let mut none = |_: &mut Sources, request: &promela::preprocess::IncludeRequest| {
            Err(Diagnostic::unlocated(format!("no file {}", request.path)))
        };
        let typed = promela::check(main, &[], &mut sources, &mut none, &mut found);
        let options = promela::lower::Options {
            ends: Ends::Step,
            full: FullChannels::Block,
        };
        let lowered = typed.and_then(|t| lower_all(&t, &sources, &options, &mut found));
        let Some((model, properties)) = lowered else {
            let errors = found.sorted();
            let first = errors.first().map(|error| error.message.clone());
            return Err(first.unwrap_or_default());
        };
        Ok(Asking { model, properties })
    }

    /// The property of that name.
    pub fn property(&self, name: &str) -> &Property {
        let named = self.properties.iter().find(|p| p.name == name);
        named.unwrap_or_else(|| panic!("no property {name}"))
    }

    /// The property that no cycle goes through accept labels, or that every one has progress.
    pub fn added(&mut self, kind: Kind) -> Property {
        let not = Box::new(Formula::Not(Box::new(Formula::Atom(0))));
        let (expr, formula) = match kind {
            Kind::Progress => {
                let again = Formula::Eventually(not);
                (Expr::NonProgress, Formula::Always(Box::new(again)))
            }
            _ => {
                let gone = Formula::Always(not);
                (Expr::Accepting, Formula::Eventually(Box::new(gone)))
            }
        };
        self.model.exprs.push(expr);
        Property {
            name: kind.word().to_owned(),
            kind,
            span: Span::new(SourceId::new(0), 0..0),
            line: 0,
            atoms: vec![ExprId::new(self.model.exprs.len() - 1)],
            texts: vec![kind.word().to_owned()],
            body: Body::Formula(formula),
            index: None,
        }
    }

    /// Whether a run violates a property; an error if a limit came first, or if what was found is
    /// no run of the model.
    pub fn violated(&self, property: &Property, how: How) -> Result<bool, String> {
        let asked = Asked::of(&property.body, property.atoms.len()).map_err(|e| e.to_string())?;
        let fair = how.fair != Fair::None && !asked.claim.is_safety();
        let machine = self.machine(property, asked.is_stutter_invariant, (how.setting, fair));
        let found = match how.group {
            Group::Trivial => None,
            Group::Certified | Group::Forgetful => find(&machine, how.setting),
            Group::Careless => {
                let mut model = machine.model().clone();
                model.atoms.clear();
                find(&Machine::new(model), how.setting)
            }
        };
        let mut reducer = match &found {
            None => Box::new(Identity),
            Some(found) => {
                let fits = Strategy::Canonical.reducer(&found.certified.certified());
                fits.map_err(|refusal| report::reasons::misfit(&refusal.reason))?
            }
        };
        let product = if property.kind.stutters() && !how.endless {
            Product::new(&machine, &asked.claim)
        } else {
            Product::new(&machine, &asked.claim).of_endless_runs()
        };
        let points = found.as_ref().filter(|_| how.group != Group::Forgetful);
        let points = points.map(|found| found.certified.lean().0.points().clone());
        let carry = |symmetry: &Symmetry, actor: u32| {
            let Some(points) = &points else {
                return actor;
            };
            let image = symmetry.image().get(points.process(actor as i32) as usize);
            image.map_or(actor, |to| points.values[*to as usize] as u32)
        };
        let fairness = match how.fair {
            Fair::None => Fairness::None,
            Fair::Weak => Fairness::Weak(&carry),
            Fair::Strong => Fairness::Strong(&carry),
        };
        let mut beside = Beside::new(&mut *reducer);
        if asked.claim.is_safety() {
            let outcome = check::explore(&product, &mut beside, &options(), &mut |_| {});
            let outcome = outcome.map_err(|broken| broken.to_string())?;
            return match outcome.verdict() {
                Verdict::Holds => Ok(false),
                Verdict::Violated => Ok(true),
                Verdict::Unknown(why) => Err(format!("{why:?}")),
            };
        }
        let accepting = |state: &[u8]| product.is_accepting(state);
        let wanted = Wanted {
            accepting: &accepting,
            fairness: &fairness,
            moves_max: MOVES_MAX,
        };
        let outcome =
            check::temporal::search(&product, &mut beside, &wanted, &options(), &mut |_| {});
        let outcome = outcome.map_err(|broken| broken.to_string())?;
        match (outcome.ended, outcome.lasso) {
            (_, Some(_)) => Ok(true),
            (Ended::Complete, None) => Ok(false),
            (ended, None) => Err(format!("{ended:?}")),
        }
    }

    fn machine(&self, property: &Property, stutters: bool, how: (Setting, bool)) -> Machine {
        let mut model = self.model.clone();
        model.atoms.clone_from(&property.atoms);
        let watch = Watch {
            exprs: property.atoms.clone(),
            labels: true,
            fair: how.1,
        };
        let setting = if stutters { how.0 } else { Setting::Plain };
        apply(&mut model, setting, &watch);
        Machine::new(model)
    }
}

/// The symmetry that the binary would use.
fn find(machine: &Machine, setting: Setting) -> Option<Found> {
    match setting {
        Setting::Best => reduce::processes::find_largest(machine),
        _ => reduce::processes::find(machine),
    }
}

fn options() -> Options<'static> {
    Options {
        order: Order::Breadth,
        deadlocks: Attention::Ignored,
        assertions: Attention::Ignored,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        stop_after: Some(1),
        memory_bytes_max: Some(2 << 30),
        clock: base::Clock::of(Some(Duration::from_secs(120))),
        depth_max: None,
        progress_every: Duration::from_secs(3600),
        threads: check::Threads::ONE,
    }
}

/// What SPIN says in one run of `pan` with these flags; `None` if it did not come to an end.
pub fn pan(folder: &Path, flags: &[&str]) -> Option<bool> {
    let out = Command::new("timeout")
        .args(["60", "./pan", "-E", "-w18", "-m100000"])
        .args(flags)
        .current_dir(folder)
        .output()
        .ok()?;
    let out = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = out.split_once("errors: ")?.1.split_whitespace().next()?;
    let violated = errors.parse::<u64>().ok()? > 0;
    // What was found was found; that nothing was means nothing if the search was cut short.
    (violated || !out.contains("max search depth too small")).then_some(violated)
}

/// Compiles SPIN's verifier of a text in a folder; `None` if SPIN refuses it.
pub fn compile_pan(folder: &Path, text: &str, flags: &[&str]) -> Option<()> {
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("m.pml"), text).expect("a file");
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let spin = Command::new("spin")
        .args(["-o1", "-o2", "-o3", "-a", "m.pml"])
        .current_dir(folder)
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&spin.stdout).into_owned();
    if said.contains("Error") || !folder.join("pan.c").exists() {
        return None;
    }
    let cc = Command::new("cc")
        .args(["-O0", "-w", "-DNOREDUCE", "-DNFAIR=4"])
        .args(flags)
        .args(["-o", "pan", "pan.c"])
        .current_dir(folder)
        .output()
        .ok()?;
    cc.status.success().then_some(())
}
