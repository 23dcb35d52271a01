//! The events that a process mentions, and those that it may do, at most.
//!
//! Found by walking its operands and the bodies of its definitions, each once. *Example.*
//! `P = a -> Q`, `Q = (b -> P) \ {b}` mentions `a` and `b`, and does no others: what is hidden is
//! counted, since only more is said by that.

use crate::compile::ScriptNames;
use crate::process::{Event, Term, TermId, Terms};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// How many terms are walked.
const TERMS_MAX: usize = 20_000;

/// What is known of a process.
#[derive(Default, Debug)]
pub(super) struct Alphabet {
    /// All events that stand in it anywhere.
    pub all: BTreeSet<Event>,
    /// Those that it may do, before or after they are hidden or renamed.
    pub done: BTreeSet<Event>,
}

/// What was found so far; nothing for a process that is too large.
#[derive(Default, Debug)]
pub(super) struct Alphabets(HashMap<TermId, Option<Rc<Alphabet>>>);

impl Alphabets {
    /// Of a process.
    pub fn of<S: ScriptNames>(
        &mut self,
        root: TermId,
        terms: &mut Terms,
        script: &mut S,
    ) -> Result<Option<Rc<Alphabet>>, S::Error> {
        if let Some(known) = self.0.get(&root) {
            return Ok(known.clone());
        }
        let found = walk(root, terms, script)?.map(Rc::new);
        self.0.insert(root, found.clone());
        Ok(found)
    }
}

fn walk<S: ScriptNames>(
    root: TermId,
    terms: &mut Terms,
    script: &mut S,
) -> Result<Option<Alphabet>, S::Error> {
    let mut found = Alphabet::default();
    let (mut seen, mut left) = (HashSet::from([root]), vec![root]);
    while let Some(term) = left.pop() {
        if seen.len() > TERMS_MAX {
            return Ok(None);
        }
        let mut next = Vec::new();
        match terms.get(term).clone() {
            // What a compressed process has become is not seen through.
            Term::State(..) => return Ok(None),
            Term::Later(later) => next.push(script.unfold(later, terms)?),
            Term::Stop | Term::Skip | Term::Done | Term::Div => {}
            Term::Chaos(set) | Term::Run(set) => found.done.extend(terms.events(set).iter()),
            Term::Prefix(branches) => {
                for &(event, after) in branches.iter() {
                    found.done.insert(event);
                    next.push(after);
                }
            }
            Term::External(all) | Term::Internal(all) => next.extend(all.iter()),
            Term::Then(p, q) | Term::Interrupt(p, q) | Term::Slide(p, q) => next.extend([p, q]),
            Term::Compressed(_, p) => next.push(p),
            Term::Hide(p, set) => {
                found.all.extend(terms.events(set).iter());
                next.push(p);
            }
            Term::Exception(p, set, q) | Term::SyncInterrupt(p, set, q) => {
                found.all.extend(terms.events(set).iter());
                next.extend([p, q]);
            }
            Term::Parallel(set, all) | Term::SyncExternal(set, all) => {
                found.all.extend(terms.events(set).iter());
                next.extend(all.iter());
            }
            Term::Alphabetised(all) => {
                for &(set, p) in all.iter() {
                    found.all.extend(terms.events(set).iter());
                    next.push(p);
                }
            }
            Term::Rename(p, relation) => {
                for &(old, new) in terms.pairs(relation).iter() {
                    found.all.insert(old);
                    found.done.insert(new);
                }
                next.push(p);
            }
        }
        left.extend(next.into_iter().filter(|term| seen.insert(*term)));
    }
    found.all.extend(&found.done);
    Ok(Some(found))
}
