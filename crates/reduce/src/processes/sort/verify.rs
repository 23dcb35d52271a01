//! Whether classes are a typing: checked without knowing how they were found.
//!
//! What rests on classes is sound if a state in which every variable of a sort holds a member leads
//! only to such states, and if every use of a sort treats its members alike, or says which it does
//! not. So this walks over all that can happen after the making and checks, use by use:
//!
//! - what is assigned, sent, received, compared, chosen, given to a new process or used as an index
//!   has the class of where it goes;
//! - what depends on numbers (arithmetic, order, sorted sends, counts, priorities) has plain
//!   operands, or a table whose rows are worked out here again;
//! - what stands for 0 or 1 without being written (truth, missing fields of messages, variables of
//!   processes that are not there) is pinned;
//! - every literal, reset, table result and value after the making is a member, and every member
//!   fits into every variable of its class;
//! - a variable whose value is left alone at some locations is not read there, and is not carried
//!   to where it counts, or from there;
//! - what is claimed of the values that reach an expression is kept by every step;
//! - rounds of a loop that are taken for a set commute, and do not block;
//! - so do rounds of which a test may hold in one only, which is of what others could see;
//! - where steps were made for each process, both texts do the same;
//! - where others move before the making is over, that makes no difference to either, or all of it
//!   is walked over;
//! - who names channels sends messages of the classes that these channels have;
//! - where the classes of messages depend on a tag, all sends have a constant there, and who
//!   receives without one can take what is in any of these classes.
//!
//! Worked example. `turn = 1 - _pid` of [`super`]: the assignment joins the class of `turn` and
//! that of the expression, which are one; the table has the operand `_pid`, whose class has the
//! members 0 and 1, and 1 - 0 = 1, 1 - 1 = 0 are the rows it must have; both results are members,
//! and both fit into a byte. Had the walk that found the classes forgotten the assignment, `turn`
//! would have a class of its own, and the first of these checks would say so.

mod blocking;
mod exclusive;
mod extent;
mod instances;
mod neutral;
mod outcomes;
mod overtaken;
mod reach;
mod rounds;
mod scratch;
mod state;
mod table;
mod text;

use super::{ClassId, Sorts, Tag};
use model::processes::expr::{Owner, Place};
use model::processes::layout::{KindId, Role};
use model::processes::population::Population;
use model::processes::program::{LocationId, ProctypeId};
use std::collections::{BTreeMap, BTreeSet};

/// A use that the classes do not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misuse {
    /// In words.
    pub reason: String,
    /// The line of the text, from 1; 0 if no one line says it.
    pub line: u32,
}

/// Checks the classes of a model.
pub fn verify(sorts: &Sorts, population: &Population) -> Result<(), Misuse> {
    let mut verifier = Verifier::new(sorts, population);
    verifier.shape()?;
    verifier.gather_blocks();
    verifier.extent()?;
    verifier.instances()?;
    verifier.overtaken()?;
    verifier.states()?;
    verifier.slots()?;
    verifier.tags()?;
    verifier.rules()?;
    verifier.neutral()?;
    verifier.reach()?;
    verifier.rounds()?;
    // First what comes into classes is collected, then it is checked over which channels things
    // are sent.
    verifier.texts()?;
    verifier.attach();
    verifier.texts()
}

type Checked = Result<(), Misuse>;

struct Verifier<'a> {
    sorts: &'a Sorts,
    population: &'a Population,
    /// By class: whether numbers come into it that no channel was made with.
    computed: Vec<bool>,
    /// By class: the kinds of the channels that can be in it; `None` on the first walk.
    kinds: Option<Vec<BTreeSet<KindId>>>,
    /// By process type: the locations inside deterministic blocks.
    blocks: Vec<BTreeSet<LocationId>>,
    /// By expression that is read: what it can be there.
    reads: Vec<reach::Set>,
    /// By expression: whether it was met.
    is_read: Vec<bool>,
    /// The places that are read, with those in their indices, by their names.
    places: BTreeMap<Vec<i32>, Vec<Place>>,
    /// Whose text is walked over, and where.
    proctype: ProctypeId,
    line: u32,
}

impl<'a> Verifier<'a> {
    fn new(sorts: &'a Sorts, population: &'a Population) -> Verifier<'a> {
        Verifier {
            sorts,
            population,
            computed: vec![false; sorts.classes.len()],
            kinds: None,
            blocks: vec![BTreeSet::new(); sorts.text.proctypes.len()],
            reads: Vec::new(),
            is_read: Vec::new(),
            places: BTreeMap::new(),
            proctype: ProctypeId::new(0),
            line: 0,
        }
    }

    fn misuse(&self, reason: impl Into<String>) -> Checked {
        Err(Misuse {
            reason: reason.into(),
            line: self.line,
        })
    }

    fn demand(&self, holds: bool, reason: &str) -> Checked {
        if holds { Ok(()) } else { self.misuse(reason) }
    }

    fn is_plain(&self, class: ClassId) -> bool {
        self.sorts.class(class).members.is_none()
    }

    /// Whether `value` may be in the class.
    fn admits(&self, class: ClassId, value: i32) -> bool {
        let members = self.sorts.class(class).members.as_ref();
        members.is_none_or(|members| members.binary_search(&value).is_ok())
    }

    /// Whether `value` is a member that stays, or the class is plain.
    fn keeps(&self, class: ClassId, value: i32) -> bool {
        let pinned = self.sorts.class(class).pinned.contains(&value);
        self.is_plain(class) || (pinned && self.admits(class, value))
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.sorts.text.proctype(self.proctype).kind,
            Owner::Other(p, _) => self.sorts.text.proctype(p).kind,
        }
    }

    /// Whether all fields of the messages of a kind have classes.
    fn has_messages(&self, k: usize, n_fields: usize) -> bool {
        let classes = &self.sorts.messages[k];
        let is_channel = matches!(self.sorts.text.layout.kinds[k].role, Role::Channel(_));
        let n_variants = match &classes.tag {
            Some(tag) => tag.values.len(),
            None => usize::from(is_channel),
        };
        let ascending = |tag: &Tag| tag.values.windows(2).all(|pair| pair[0] < pair[1]);
        classes.variants.len() == n_variants
            && classes.variants.iter().all(|one| one.len() == n_fields)
            && classes.tag.as_ref().is_none_or(ascending)
    }

    /// The lists have an entry for each thing, and members are in order.
    fn shape(&self) -> Checked {
        let (sorts, text) = (self.sorts, &self.sorts.text);
        for class in &sorts.classes {
            let members = class.members.as_deref().unwrap_or(&[]);
            let ascending = members.windows(2).all(|pair| pair[0] < pair[1]);
            self.demand(ascending, "members that are not in order")?;
        }
        let kinds = text.layout.kinds.iter().enumerate();
        let fits = kinds.map(|(k, kind)| {
            let n_messages = match &kind.role {
                Role::Channel(buffer) => buffer.fields.len(),
                _ => 0,
            };
            let fields = sorts.fields[k].iter().zip(&kind.fields);
            let indices =
                fields.map(|(classes, field)| classes.indices.len() == field.dimensions.len());
            indices.fold(true, |all, one| all & one)
                && sorts.fields[k].len() == kind.fields.len()
                && sorts.uses[k].len() == kind.fields.len()
                && self.has_messages(k, n_messages)
        });
        let whole = fits.fold(true, |all, one| all & one)
            && sorts.exprs.len() == text.exprs.len()
            && sorts.pids.len() == text.proctypes.len();
        self.demand(whole, "something has no class")
    }
}
