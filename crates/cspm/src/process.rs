//! Processes as terms: what is left of a script once its functions are evaluated.
//!
//! A term is a node of a table, so that equal terms have equal ids and a term can be the state of a
//! transition system. What is not evaluated yet is a [`Term::Later`]: the body of a call, or what
//! follows an event. Whoever made the table can say what it stands for ([`Unfold`]); equal calls
//! with equal arguments are the same `Later`, and so recursion ends in a cycle of ids.
//!
//! ```text
//! P(n) = if n < 2 then a.n -> P(n + 1) else STOP
//! P(0):  Later(0)  unfolds to  Prefix[(a.0, Later(1))],  Later(1) to Prefix[(a.1, Later(2))],
//!        Later(2)  unfolds to  Stop
//! ```
//!
//! Events are numbers that the maker of the table has given out; sets and relations of events are
//! kept once each, sorted.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

base::define_id!(Event, "Which visible event.");
base::define_id!(TermId, "Which term of a table.");
base::define_id!(SetId, "Which set of events of a table.");
base::define_id!(RelationId, "Which relation between events of a table.");
base::define_id!(LaterId, "Which suspended process.");
base::define_id!(SystemId, "Which transition system of a compressed process.");

/// A process term. Operands are in the order of the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// `STOP`
    Stop,
    /// `SKIP`
    Skip,
    /// What `SKIP` becomes by ✓: it does nothing more and is no deadlock.
    Done,
    /// `DIV`
    Div,
    /// `CHAOS(A)`: may do and refuse any of them, never ends.
    Chaos(SetId),
    /// `RUN(A)`
    Run(SetId),
    /// A choice of events, each with what follows it; no event twice is not promised.
    Prefix(Arc<[(Event, TermId)]>),
    /// `[]` of any number; none is `STOP`.
    External(Arc<[TermId]>),
    /// `|~|` of one or more.
    Internal(Arc<[TermId]>),
    /// `P ; Q`
    Then(TermId, TermId),
    /// `P /\ Q`
    Interrupt(TermId, TermId),
    /// `P [> Q`
    Slide(TermId, TermId),
    /// `P \ A`
    Hide(TermId, SetId),
    /// `P [[ R ]]`: an event that the relation does not mention keeps its name; one that it does
    /// is offered under each of its new names.
    Rename(TermId, RelationId),
    /// `[| A |]` of any number, `|||` where the set is empty: events of the set and ✓ together.
    /// None is `SKIP`.
    Parallel(SetId, Arc<[TermId]>),
    /// `||` of any number with their alphabets: an event needs all those that have it in their
    /// alphabet; events outside a process's own alphabet are blocked; ✓ needs all. None is `SKIP`.
    Alphabetised(Arc<[(SetId, TermId)]>),
    /// `P [| A |> Q`
    Exception(TermId, SetId, TermId),
    /// `[+ A +]` of any number.
    SyncExternal(SetId, Arc<[TermId]>),
    /// `P /+ A +\ Q`
    SyncInterrupt(TermId, SetId, TermId),
    /// A compression, `normal(P)`: the same process, its transition system made smaller.
    Compressed(Compression, TermId),
    /// Not evaluated yet.
    Later(LaterId),
    /// A state of a transition system that was made of a compressed process. Evaluation does not
    /// make it; [`crate::operate`] does, and knows the system.
    State(SystemId, u32),
}

/// The functions of FDR that change a transition system and, but for [`Compression::Chase`], not
/// its meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Compression {
    /// `normal`
    Normal,
    /// `sbisim`
    Strong,
    /// `wbisim`
    Weak,
    /// `dbisim`
    Delay,
    /// `diamond`
    Diamond,
    /// `explicate`
    Explicate,
    /// `tau_loop_factor`
    TauLoops,
    /// `chase`: of a state with τ, one τ and nothing else. It may change the meaning.
    Chase,
    /// `model_compress`, `lazyenumerate` and whatever else is taken as the identity.
    Identity,
}

/// Terms, sets and relations, each kept once.
#[derive(Default, Debug)]
pub struct Terms {
    terms: Interner<Term>,
    sets: Interner<Arc<[Event]>>,
    relations: Interner<Arc<[(Event, Event)]>>,
}

/// Says what a suspended process is.
pub trait Unfold {
    /// What goes wrong in evaluation: a located error of the script.
    type Error;

    /// The term that `later` stands for; it may be another [`Term::Later`]. It is made in `terms`.
    fn unfold(&mut self, later: LaterId, terms: &mut Terms) -> Result<TermId, Self::Error>;
}

/// Values in the order of their coming, each once.
#[derive(Debug)]
struct Interner<T> {
    all: Vec<T>,
    ids: HashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner {
            all: Vec::new(),
            ids: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    fn id(&mut self, value: T) -> usize {
        if let Some(&id) = self.ids.get(&value) {
            return id as usize;
        }
        let id = self.all.len();
        self.ids.insert(value.clone(), TermId::new(id).0);
        self.all.push(value);
        id
    }
}

impl Terms {
    /// The id of `term`.
    pub fn term(&mut self, term: Term) -> TermId {
        TermId::new(self.terms.id(term))
    }

    /// The id of a set of events, in any order and with repetitions.
    pub fn set(&mut self, mut events: Vec<Event>) -> SetId {
        events.sort_unstable();
        events.dedup();
        SetId::new(self.sets.id(events.into()))
    }

    /// The id of a relation between events: old name, new name.
    pub fn relation(&mut self, mut pairs: Vec<(Event, Event)>) -> RelationId {
        pairs.sort_unstable();
        pairs.dedup();
        RelationId::new(self.relations.id(pairs.into()))
    }

    /// The term with this id.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms.all[id.index()]
    }

    /// The events of a set, sorted.
    pub fn events(&self, id: SetId) -> &Arc<[Event]> {
        &self.sets.all[id.index()]
    }

    /// The pairs of a relation, sorted.
    pub fn pairs(&self, id: RelationId) -> &Arc<[(Event, Event)]> {
        &self.relations.all[id.index()]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.terms.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_sets_and_relations_have_equal_ids() {
        let mut terms = Terms::default();
        let (a, b) = (Event::new(0), Event::new(1));
        let (one, other) = (terms.set(vec![b, a, b]), terms.set(vec![a, b]));
        assert_eq!(one, other);
        assert_eq!(&terms.events(one)[..], [a, b]);
        assert_eq!(
            terms.relation(vec![(b, a), (a, b)]),
            terms.relation(vec![(a, b), (b, a), (a, b)])
        );
        let stop = terms.term(Term::Stop);
        let prefix = Term::Prefix([(a, stop)].into());
        let first = terms.term(prefix.clone());
        assert_eq!(terms.term(prefix), first);
        assert_ne!(first, stop);
        assert_eq!(terms.len(), 2);
    }
}
