//! Sorts: sets of numbers that a model only passes on and compares.
//!
//! Every variable, index, message field, literal and `_pid` has a *class*; what flows into each
//! other is in one class. If no use of a class depends on its numbers being numbers, the class is
//! a *sort* and its members may be interchangeable, whatever the modeller called them; if some use
//! does, it is *plain*. A use that depends on numbers is still harmless where it can be
//! *tabulated*: where all its operands are of sorts with few members, the expression is as good as
//! the list of its values ([`Table`]).
//!
//! Worked example:
//!
//! ```text
//! byte turn; bool flag[2]; byte n;
//! active [2] proctype P() { flag[_pid] = 1; turn = 1 - _pid; (turn == _pid); n++ }
//! ```
//!
//! `turn`, the index of `flag`, and both `_pid`s are one class with the members 0 and 1; the
//! expression `1 - _pid` is a table with two rows, 0 ↦ 1 and 1 ↦ 0. The class of `flag`'s elements
//! has the members 0 (it starts so) and 1; `n` is plain, because `n + 1` has too many values.
//!
//! Files: `text` one copy of each expression; `instances` steps for each process; `normal`,
//! `first_round`, `branches`, `loops` with `cycles`, `unroll`, `conditions`, `rounds`, `exclusive`
//! and `scratch`, `sends`, `rows`, `stores` what is written otherwise in that copy; `uses` which
//! variables matter, `neutral` where they do not, `start` what they start as, `living` where
//! processes can be, `reach` which values can be where; `unify` classes made one, `walk` the flows
//! of a text, `channels` those through channels, `tags` messages of several kinds over one channel,
//! `values` members and tables; `verify` the check that rests on none of these.

mod branches;
mod channels;
mod conditions;
mod cycles;
mod exclusive;
mod first_round;
mod instances;
mod living;
mod loops;
mod neutral;
mod normal;
mod reach;
mod rounds;
mod rows;
mod scratch;
mod sends;
pub mod start;
mod stores;
mod tags;
mod text;
mod unify;
mod unroll;
mod uses;
mod values;
mod verify;
pub(crate) mod walk;

pub use instances::{Identity, Instanced, Instances};
pub use loops::{Exclusive, Kept};
pub use reach::Reach;
pub use uses::Use;
pub use verify::{Misuse, verify};

use base::Span;
use instances::{Tests, Wanted};
use loops::Replaced;
use model::processes::expr::ExprId;
use model::processes::layout::KindId;
use model::processes::population::Population;
use model::processes::program::{LocationId, Model, ProctypeId, StepId};
use rounds::Surroundings;
use std::collections::{BTreeSet, HashSet};
use system::SiteId;
use system::fault::FaultKind;
use tags::Tags;

base::define_id!(ClassId, "Which class of a [`Sorts`].");
base::define_id!(TableId, "Which table of a [`Sorts`].");

/// A class of numbers.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its members, ascending; `None` if it is plain.
    pub members: Option<Vec<i32>>,
    /// Why it is plain, if it is.
    pub plain: Option<Plain>,
    /// Whether members are numbers of processes that are looked up.
    pub names_processes: bool,
    /// Whether members are numbers of channels.
    pub names_channels: bool,
    /// Whether numbers that are no members may be in it, as those of later processes.
    pub open: bool,
    /// Members that are treated in a way of their own without being written.
    pub pinned: Vec<i32>,
}

/// Why a class is plain, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plain {
    /// In words.
    pub reason: String,
    /// Where; `None` if no one place says it.
    pub place: Option<(Span, u32)>,
    /// The statement there.
    pub site: Option<SiteId>,
}

/// The classes of a field: of its elements, and of each index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldClasses {
    /// Of what is in it.
    pub value: ClassId,
    /// One a dimension.
    pub indices: Vec<ClassId>,
}

/// A field of messages that is a constant wherever it is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// Which field.
    pub field: usize,
    /// What it can be, ascending.
    pub values: Vec<i32>,
}

impl Tag {
    /// Which of its values a number is.
    pub fn variant(&self, value: i32) -> Option<usize> {
        self.values.binary_search(&value).ok()
    }
}

/// The classes of what is sent over a kind of channels.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MessageClasses {
    /// The field that says which classes the others have, if there is one.
    pub tag: Option<Tag>,
    /// The classes of the fields: for each value of the tag, or once.
    pub variants: Vec<Vec<ClassId>>,
}

impl MessageClasses {
    /// How many fields messages have.
    pub fn n_fields(&self) -> usize {
        self.variants.first().map_or(0, Vec::len)
    }

    /// The classes of the fields of a message, given what it holds; `None` if its tag is none.
    pub fn held(&self, field: impl Fn(usize) -> i32) -> Option<&[ClassId]> {
        let variant = match &self.tag {
            Some(tag) => tag.variant(field(tag.field))?,
            None => 0,
        };
        self.variants.get(variant).map(Vec::as_slice)
    }

    /// All classes, with their fields.
    pub fn all(&self) -> impl Iterator<Item = (usize, ClassId)> + '_ {
        let variants = self.variants.iter();
        variants.flat_map(|one| one.iter().copied().enumerate())
    }
}

/// An expression as the list of its values.
#[derive(Clone, Debug)]
pub struct Table {
    /// The expression.
    pub expr: ExprId,
    /// Its operands, each once: reads and `_pid`.
    pub leaves: Vec<ExprId>,
    /// The rows: a value for each operand, and what comes out. If [`Table::truth`], 0 or 1.
    pub rows: Vec<(Vec<i32>, Result<i32, FaultKind>)>,
    /// Whether only its truth matters.
    pub truth: bool,
}

/// What is known of each expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExprSort {
    /// The class of its value.
    pub class: ClassId,
    /// The table that stands for it, if one does.
    pub table: Option<TableId>,
}

/// The classes of a model.
#[derive(Clone, Debug)]
pub struct Sorts {
    /// The model, each expression in one place only; steps, locations and fields as they were.
    pub text: Model,
    /// The classes.
    pub classes: Vec<Class>,
    /// By kind and field.
    pub fields: Vec<Vec<FieldClasses>>,
    /// By kind of channel.
    pub messages: Vec<MessageClasses>,
    /// By process type: the class of `_pid` there.
    pub pids: Vec<ClassId>,
    /// By expression of the text.
    pub exprs: Vec<ExprSort>,
    /// The tables.
    pub tables: Vec<Table>,
    /// By process type and location: whether a process can be there after the making.
    pub live: Vec<Vec<bool>>,
    /// By process type: how many locations it has in the model itself; those after were put in.
    pub n_locations: Vec<usize>,
    /// Steps whose actions may be taken in any order: loops and rows that were replaced.
    pub unordered: HashSet<StepId>,
    /// The steps of each choice that was made one assignment.
    pub branches: Vec<Vec<StepId>>,
    /// Where a process would wait, and others go on, in a loop that was replaced: all that is said
    /// here is right only as long as no process is at one of these locations in a state.
    pub waits: Vec<(ProctypeId, LocationId)>,
    /// Loops that were replaced because a test holds in one of their rounds only: all that is said
    /// here is right only as long as that is so in every state.
    pub exclusive: Vec<Exclusive>,
    /// Loops that count and could not be taken in any order.
    pub kept_loops: Vec<Kept>,
    /// Which values can be where.
    pub reach: Reach,
    /// By kind and field: what happens to it after the making.
    pub uses: Vec<Vec<Use>>,
    /// By process type, field and location: whether what it holds there does not matter.
    pub neutral: Vec<Vec<Vec<bool>>>,
    /// By process type: whether processes of it can be made after the making.
    pub made_later: Vec<bool>,
    /// The texts before and after steps were made for each process, if they were.
    pub instances: Option<Instances>,
}

impl Sorts {
    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The class of an expression's value.
    pub fn of(&self, e: ExprId) -> ClassId {
        self.exprs[e.index()].class
    }

    /// Whether a field holds the same in all states after the making, in every record of its kind:
    /// nothing uses it, or nothing changes it and the making leaves no choice.
    pub fn is_constant(&self, kind: KindId, field: usize, population: &Population) -> bool {
        let uses = self.uses[kind.index()][field];
        // While others move, the maker may set it to one thing or another.
        if !uses.used || uses.written || population.before.is_some() {
            return !uses.used;
        }
        let held = |state: &[u8]| self.held(kind, field, state);
        let first = held(&population.states[0]);
        population.states.iter().all(|state| held(state) == first)
    }

    /// What a field holds in a state, in all records of its kind, in order.
    pub fn held(&self, kind: KindId, field: usize, state: &[u8]) -> Vec<i32> {
        let layout = &self.text.layout;
        let shape = &layout.kind(kind).fields[field];
        let globals = std::iter::once((KindId::new(0), 0));
        let records = globals
            .chain(layout.records(state))
            .filter(|(k, _)| *k == kind);
        let offsets = records.flat_map(|(_, at)| {
            (0..shape.n_elements()).map(move |n| at + shape.element_at(n) as usize)
        });
        offsets
            .map(|at| shape.slot.scalar.load(state, at))
            .collect()
    }

    /// Whether the numbers of a class may be exchanged.
    pub fn is_sort(&self, id: ClassId) -> bool {
        self.class(id).members.is_some()
    }
}

/// What is done about loops that send, where a send could wait and others would see it; and about
/// loops that copy from the one round in which a test holds, where it could hold in several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sends {
    /// They keep their order.
    Wait,
    /// They are taken in any order: the caller makes sure that no process is ever seen at one of
    /// [`Sorts::waits`], and that in no state two tests of one of [`Sorts::exclusive`] hold.
    Assumed,
}

/// Finds the classes of a model whose making led to `population`.
pub fn infer(model: &Model, population: &Population, sends: Sends) -> Sorts {
    let mut text = text::unshared(model);
    normal::normalise(&mut text);
    first_round::include(&mut text);
    let replaced = Replaced::new(&text);
    inferred(text, population, sends, replaced, n_locations(model))
}

/// As [`infer`], on a text with steps for each process of a type; `None` if there is no such type.
///
/// Of a process with several constants these may be exchanged with each other only if `exchanged`.
pub fn infer_each(
    model: &Model,
    population: &Population,
    sends: Sends,
    exchanged: bool,
) -> Option<Sorts> {
    let tests = if exchanged {
        Tests::Unordered
    } else {
        Tests::Ordered
    };
    let mut wanted = Wanted {
        sends,
        tests,
        kept: BTreeSet::new(),
    };
    for _ in 0..N_ATTEMPTS_MAX {
        let sorts = inferred_each(model, population, &wanted)?;
        let circular = sorts.instances.as_ref()?.circular(&sorts.text);
        if circular.is_empty() {
            return Some(sorts);
        }
        wanted.kept.extend(circular);
    }
    None
}

/// How often steps are left as they are because a loop comes after them.
const N_ATTEMPTS_MAX: usize = 3;

fn inferred_each(model: &Model, population: &Population, wanted: &Wanted) -> Option<Sorts> {
    let sends = wanted.sends;
    let mut text = text::unshared(model);
    normal::normalise(&mut text);
    first_round::include(&mut text);
    let mut replaced = Replaced::new(&text);
    let reach = Reach::unnoted(&text, population, &replaced);
    let surroundings = Surroundings {
        population,
        reach: &reach,
    };
    loops::replace_choices(&mut text, &surroundings, &mut replaced);
    let instances = instances::replace(&mut text, population, wanted, &mut replaced)?;
    let mut sorts = inferred(text, population, sends, replaced, n_locations(model));
    sorts.instances = Some(instances);
    Some(sorts)
}

/// By process type: how many locations it has.
fn n_locations(model: &Model) -> Vec<usize> {
    model.proctypes.iter().map(|p| p.locations.len()).collect()
}

/// The classes of a text that was changed already, of a model with so many locations by type.
fn inferred(
    mut text: Model,
    population: &Population,
    sends: Sends,
    mut replaced: Replaced,
    n_locations: Vec<usize>,
) -> Sorts {
    let later = walk::made_anywhere(&text);
    branches::replace(&mut text, population, &mut replaced);
    let surroundings = Surroundings {
        population,
        reach: &Reach::unnoted(&text, population, &replaced),
    };
    loops::replace(&mut text, &surroundings, sends, &mut replaced);
    sends::replace(&mut text, &surroundings, sends, &mut replaced);
    rows::replace(&mut text, population, &mut replaced);
    replaced.prune(&text, &n_locations);
    stores::replace(&mut text);
    let neutral = neutral::neutral(&text, population, &later, &replaced);
    let reach = Reach::new(&text, population, &replaced);
    let walked = |tags: Tags| {
        let mut walked = walk::walk(&text, population, (&replaced, &neutral), tags);
        walked.kept_loops.clone_from(&replaced.kept);
        walked.reach.clone_from(&reach);
        walked.unordered.clone_from(&replaced.unordered);
        walked.waits.clone_from(&replaced.waits);
        walked.exclusive.clone_from(&replaced.exclusive);
        walked.branches.clone_from(&replaced.branches);
        walked.n_locations.clone_from(&n_locations);
        walked
    };
    let mut one = walked(Tags::default());
    let mut tags = tags::find(&text, population, &mut one);
    while !tags.is_empty() {
        let sorts = values::solve(&text, population, walked(tags.clone()));
        match tags.without_use(&sorts) {
            None => return sorts,
            Some(fewer) => tags = fewer,
        }
    }
    values::solve(&text, population, one)
}
