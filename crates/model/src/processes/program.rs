//! A model of processes: locations, steps and what they do, as plain data.
//!
//! A process is at a *location*; from there lead *steps*, in order. A step has an action, which
//! may block, and a target. Every step of the text is one [`Step`] here: choices, loops and jumps
//! are gone, as they only say which steps start where.
//!
//! Worked example. `do :: x < 3 -> x++ :: else -> break od` in a process that then ends:
//!
//! ```text
//! location 0:  test x < 3   → 1          location 1:  x = x + 1 → 0
//!              else         → 2          location 2:  end
//! ```
//!
//! **Control.** A step with `keeps_control` is followed by a step of the same process, without a
//! stored state between, as long as that process can take one (`atomic`), and unless one of higher
//! priority can, if they are not joined for good ([`Join`]). **Escapes.** Steps with
//! a smaller positive `rank` come first: if one of rank 1 can be taken, no step of another rank
//! can; and so on; rank 0 is the statement itself, and comes last (`unless`).

use crate::processes::expr::{
    Expr, ExprId, Place, Receive, Send, place_operands, receive_operands,
};
use crate::processes::layout::{FieldId, KindId, Layout, RecordKind};
use crate::processes::trace::Trace;
use base::Span;
use system::SiteId;
use system::Within;

base::define_id!(ProctypeId, "Which process type of a [`Model`].");
base::define_id!(LocationId, "Which location of a [`Proctype`].");
base::define_id!(StepId, "Which step of a [`Model`].");

/// A whole model.
#[derive(Clone, Debug)]
pub struct Model {
    /// What its states look like.
    pub layout: Layout,
    /// All expressions.
    pub exprs: Vec<Expr>,
    /// The process types.
    pub proctypes: Vec<Proctype>,
    /// All steps.
    pub steps: Vec<Step>,
    /// What steps are called, and where they are.
    pub sites: Vec<Site>,
    /// What globals start as, in order.
    pub prologue: Vec<Init>,
    /// The processes that are there from the start, in order.
    pub population: Vec<ProctypeId>,
    /// The order in which sends and receives may come, if there is one.
    pub trace: Option<Trace>,
    /// The rules that languages and settings differ in.
    pub rules: Rules,
    /// What SPIN's own optimisations look at, and nothing else does.
    pub origins: Origins,
    /// What is evaluated on states for the property in question, and by nobody else.
    pub atoms: Vec<ExprId>,
    /// How many lists of equal length the atoms are, one behind the other, which symmetries may
    /// exchange as wholes: a property that is asked of several members has one for each. If it is
    /// one, each atom stays what it is.
    pub n_atom_lists: usize,
    /// The sorts that the text declares; no step depends on them.
    pub declared_sorts: Vec<DeclaredSort>,
    /// The processes of each type with what belongs to them, where the text declares references to
    /// processes: those that are referred to, and the others too.
    pub declared_keys: Vec<Instances>,
    /// The symmetries that the text declares; no step depends on them.
    pub declared_symmetries: Vec<DeclaredSymmetry>,
}

/// What the text declares of the processes of a type: that they are interchangeable in some way.
/// It is believed by nobody; whoever looks for symmetry can check whether it is so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeclaredSymmetry {
    /// In which way.
    pub arrangement: Arrangement,
    /// Which processes.
    pub proctype: ProctypeId,
    /// Where it stands.
    pub span: Span,
}

/// How processes are arranged that are interchangeable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrangement {
    /// Any two can be exchanged.
    Symmetric,
    /// All can be turned by one, in the order in which they are made.
    Ring,
    /// Blocks of so many, in the order in which they are made: any two of one block can be
    /// exchanged, and any two blocks.
    Blocks(u32),
}

/// A set of interchangeable members that the text declares: the instances of a process type that
/// others refer to, or the values of a scalarset. Whoever looks for symmetry can check what it
/// finds against these, and call it by their names.
///
/// The members are the numbers from 0; one more number, `undefined`, stands for none of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredSort {
    /// What the text calls it: the process type, or the scalarset.
    pub name: String,
    /// The process type whose instances are the members; `None` for a scalarset.
    pub instances: Option<Instances>,
    /// How many members it has.
    pub n_members: u32,
    /// The number that stands for no member.
    pub undefined: i32,
    /// The fields whose values are members or undefined, those of parameters included.
    pub values: Vec<(KindId, FieldId)>,
    /// The dimensions of fields that are indexed by members, counted from 0.
    pub dimensions: Vec<(KindId, FieldId, usize)>,
    /// The fields of messages that are members or undefined, counted from 0, by kind of channel.
    pub messages: Vec<(KindId, usize)>,
}

/// The processes of a type, which may be the members of a [`DeclaredSort`]: member `i` is the
/// `i`-th process of that type in the population.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instances {
    /// Their type.
    pub proctype: ProctypeId,
    /// The field in which each has its own number, if it needs it.
    pub own: Option<FieldId>,
    /// What belongs to an instance, in the order of the text: the order in which instances are
    /// compared by whoever sorts them.
    pub key: Vec<KeyPart>,
}

/// A part of what belongs to a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyPart {
    /// Where it is.
    Location,
    /// A variable of its own.
    Own(FieldId),
    /// An element of a global, whose first dimension is indexed by instances.
    Public(FieldId),
}

/// What may differ between models.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The global that holds the number of the process that took the last step.
    pub last: Option<FieldId>,
    /// Whether a step is taken only if no process of higher priority could take one.
    pub priorities: bool,
    /// Whether a process that has ended goes away in a step of its own, once all that were
    /// created after it are gone. If not, it stays at its last location.
    pub ends_are_steps: bool,
    /// Whether a send to a full channel loses the message and does not block.
    pub lossy: bool,
}

/// What the text of a model says that its steps do not show. Only
/// [`crate::processes::passes::spin`], and who reads and writes SPIN's trails, asks.
#[derive(Clone, Default, Debug)]
pub struct Origins {
    /// The statement of each step; a step that is not here is a statement with no mark on it.
    pub steps: Vec<Origin>,
    /// By process type and location: whether a choice, a loop or a block is there, and not one
    /// statement; a location that is not here has one statement.
    pub compound: Vec<Vec<bool>>,
    /// The variables that hold channels which one process alone sends to.
    pub sole_senders: Vec<(KindId, FieldId)>,
    /// The variables that hold channels which one process alone receives from.
    pub sole_receivers: Vec<(KindId, FieldId)>,
    /// The globals that the modeller says one process alone uses.
    pub local: Vec<FieldId>,
    /// The process types with variables that start as something other than a number or the value
    /// of another variable of the process.
    pub computed: Vec<ProctypeId>,
    /// The globals that properties read which are not part of the model.
    pub read: Vec<FieldId>,
    /// Whether the text, properties included, asks for the variable of another process.
    pub remote: bool,
}

/// The statement that a step comes from.
#[derive(Clone, Copy, Default, Debug)]
pub struct Origin {
    /// Whether it is inside `atomic`.
    pub in_atomic: bool,
    /// Whether it has a label, that of the exit of a loop included.
    pub labelled: bool,
    /// Whether something can escape from it.
    pub escapable: bool,
    /// Whether others ask if a process is at it.
    pub asked: bool,
    /// Whether it is a jump, or a point that the translation added.
    pub jump: bool,
    /// Whether it counts a variable up or down by one.
    pub counts: bool,
    /// Whether it jumps out of the middle of `atomic`.
    pub leaves: Leaves,
    /// Its number in SPIN's trails, counted over all process types from 0, where it is known.
    pub statement: Option<u32>,
}

/// How a statement jumps out of the middle of `atomic`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Not at all.
    #[default]
    No,
    /// To a statement.
    ToStatement,
    /// To the exit of a loop, or another point where no statement is.
    ToPoint,
}

/// What a variable starts as.
#[derive(Clone, Debug)]
pub enum Init {
    /// This number.
    Value(Place, ExprId),
    /// A new channel of that kind.
    Channel(Place, KindId),
}

/// A type of process.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: String,
    /// Its records.
    pub kind: KindId,
    /// Where its parameters go; a parameter of several numbers takes several arguments.
    pub parameters: Vec<Place>,
    /// What its other variables start as, in order; what is not here is 0.
    pub prologue: Vec<Init>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Where it starts.
    pub start: LocationId,
    /// It takes steps only while this is not 0.
    pub provided: Option<ExprId>,
    /// The field that holds its priority, and its first value.
    pub priority: Option<(FieldId, i32)>,
}

impl Proctype {
    /// A process type without parameters, variables and locations yet; it starts at the first.
    pub fn new(name: &str, kind: KindId) -> Proctype {
        Proctype {
            name: name.to_owned(),
            kind,
            parameters: Vec::new(),
            prologue: Vec::new(),
            locations: Vec::new(),
            start: LocationId::new(0),
            provided: None,
            priority: None,
        }
    }
}

/// A point of control.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The steps from here, in order.
    pub steps: Vec<StepId>,
    /// Whether a process may rest here for ever.
    pub end: bool,
    /// Whether being here is progress.
    pub progress: bool,
    /// Whether being here is accepting.
    pub accept: bool,
    /// The number by which the modeller can ask for it.
    pub number: u32,
    /// Its labels.
    pub labels: Vec<String>,
}

/// A step from a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What it does.
    pub action: Action,
    /// Where it leads.
    pub target: LocationId,
    /// Whether the process keeps control afterwards.
    pub keeps_control: bool,
    /// Whether it is a fault if the process could take a step that comes before this one.
    pub alone: bool,
    /// What comes between it and the step after it, if it keeps control.
    pub join: Join,
    /// 0 for a statement, more for what escapes from it.
    pub rank: u16,
    /// What it is called.
    pub site: SiteId,
    /// What is set in the process that takes it, after the action.
    pub resets: Vec<Reset>,
}

impl Step {
    /// A step after which nothing is reset and control is given up.
    pub fn new(action: Action, target: LocationId, site: SiteId) -> Step {
        Step {
            action,
            target,
            keeps_control: false,
            alone: false,
            join: Join::Loose,
            rank: 0,
            site,
            resets: Vec::new(),
        }
    }
}

/// What comes between two steps of a process that keeps control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Join {
    /// Processes of higher priority, where there are priorities.
    #[default]
    Loose,
    /// Nothing: the two are one step, as where SPIN joins statements.
    Tight,
}

/// A variable of a process that nobody will read gets a value that does not tell states apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reset {
    /// Which; if it is an array, all of it.
    pub field: FieldId,
    /// The value.
    pub value: i32,
}

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Skip,
    /// Blocks while this is 0.
    Test(ExprId),
    /// Blocks while another step of this process can be taken.
    Else,
    /// Stores a number.
    Assign(Place, ExprId),
    /// Evaluates this and drops it.
    Drop(ExprId),
    /// Sends.
    Send(Send),
    /// Receives.
    Receive(Receive),
    /// A fault if this is 0.
    Assert(ExprId),
    /// Shows a text in simulations.
    Print(Print),
    /// Changes the priority of a process, and whether it is a fault if that is not 1 to 255;
    /// otherwise it is cut to a byte.
    SetPriority(ExprId, ExprId, bool),
    /// Runs from the first location until it reaches the second, always taking the first step that
    /// can be taken. Can be taken if the first of these can. A block that begins with `else` looks
    /// at the steps beside the block ([`Model::is_else`]).
    Deterministic(LocationId, LocationId),
    /// These in order; can be taken if the first can, and the others never block.
    All(Box<[Action]>),
    /// The process ends.
    End,
}

/// A text with numbers in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

/// A piece of a printed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// A text.
    Text(String),
    /// A number, in decimal.
    Decimal(ExprId),
    /// A number without sign, in decimal.
    Unsigned(ExprId),
    /// In hexadecimal.
    Hex(ExprId),
    /// In octal.
    Octal(ExprId),
    /// The character of that number.
    Character(ExprId),
    /// The name of that number in a set.
    Name(crate::processes::layout::NameSetId, ExprId),
}

/// What a step is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its text.
    pub text: String,
    /// Where it is: in the body of an inline or macro, if it comes from one.
    pub span: Span,
    /// The line there, from 1.
    pub line: u32,
    /// The file, and the uses that brought it into the program.
    pub within: Within,
    /// Whether the modeller wrote it; what is not written is not reported as unreachable.
    pub written: bool,
}

impl Model {
    /// A model in which there is nothing yet: no variables, no processes, no steps.
    pub fn empty() -> Model {
        Model {
            layout: Layout {
                kinds: vec![RecordKind::globals()],
                name_sets: Vec::new(),
                hidden: Vec::new(),
            },
            exprs: Vec::new(),
            proctypes: Vec::new(),
            steps: Vec::new(),
            sites: Vec::new(),
            prologue: Vec::new(),
            population: Vec::new(),
            trace: None,
            rules: Rules::default(),
            origins: Origins::default(),
            declared_sorts: Vec::new(),
            declared_keys: Vec::new(),
            declared_symmetries: Vec::new(),
            atoms: Vec::new(),
            n_atom_lists: 1,
        }
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// A step.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }

    /// A process type.
    pub fn proctype(&self, id: ProctypeId) -> &Proctype {
        &self.proctypes[id.index()]
    }

    /// Whether a step of the process type waits while a step beside it can be taken: an `else`, or
    /// a deterministic block that begins with one.
    pub fn is_else(&self, proctype: &Proctype, step: StepId) -> bool {
        let action = match self.step(step).action {
            Action::Deterministic(entry, _) => {
                let first = proctype.locations[entry.index()].steps.first();
                first.map(|s| &self.step(*s).action)
            }
            ref action => Some(action),
        };
        matches!(action, Some(Action::Else))
    }
}

/// Calls `out` with each expression that an action evaluates, its places included; those of the
/// steps inside a deterministic block are not its own.
pub fn roots(action: &Action, out: &mut dyn FnMut(ExprId)) {
    match action {
        Action::Skip | Action::Else | Action::Deterministic(..) | Action::End => {}
        Action::Test(e) | Action::Drop(e) | Action::Assert(e) => out(*e),
        Action::Assign(place, e) => {
            place_operands(place, out);
            out(*e);
        }
        Action::Send(send) => {
            out(send.channel);
            send.fields.iter().for_each(|e| out(*e));
        }
        Action::Receive(receive) => receive_operands(receive, out),
        Action::Print(print) => print.pieces.iter().for_each(|piece| match piece {
            Piece::Text(_) => {}
            Piece::Decimal(e)
            | Piece::Unsigned(e)
            | Piece::Hex(e)
            | Piece::Octal(e)
            | Piece::Character(e)
            | Piece::Name(_, e) => out(*e),
        }),
        Action::SetPriority(p, e, _) => {
            out(*p);
            out(*e);
        }
        Action::All(all) => all.iter().for_each(|a| roots(a, out)),
    }
}

/// Calls `out` with each expression that an initial value evaluates.
pub fn init_roots(init: &Init, out: &mut dyn FnMut(ExprId)) {
    match init {
        Init::Value(place, e) => {
            place_operands(place, out);
            out(*e);
        }
        Init::Channel(place, _) => place_operands(place, out),
    }
}
