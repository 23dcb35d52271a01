//! The sorts of a model of values, as what its symmetry is about.
//!
//! Worked example: `Mode = {idle, busy, broken}`, where only the operation `repair` names one of
//! them, `broken`. Then `idle` and `busy` are interchangeable, for they are used alike; `broken` is
//! single, and told from `idle` by `repair`.

use model::frontend::SortWords;
use model::values::{Signature, SortId};
use reduce::values::CertifiedValues;
use report::object::{Exchangeable, Sort, ToldApart};
use report::reasons;

/// How many pairs of elements of a set are compared, to say what tells them apart.
const N_PAIRS_MAX: usize = 64;

/// How many members of a set are shown.
const N_MEMBERS_MAX: usize = 16;

/// Members of a sort that were said to be interchangeable and were not certified.
pub fn rejected(
    rejected: &reduce::values::Rejected,
    signature: &Signature,
    words: &dyn SortWords,
) -> report::Rejected {
    let members = &signature.sort(rejected.sort).members;
    let names = rejected.members.iter().map(|member| &*members[*member]);
    let names: Vec<&str> = names.collect();
    let candidate = match &names[..] {
        [a, b] => format!("({a} {b})"),
        [first @ .., last] if names.len() > N_MEMBERS_MAX => {
            let (shown, n) = (first[..N_MEMBERS_MAX / 2].join(" "), names.len());
            format!("{{{shown} … {last}}} ({n})")
        }
        names => format!("{{{}}}", names.join(" ")),
    };
    let place = rejected.objection.place().and_then(|place| place.span);
    let reason = rejected.objection.to_string();
    report::Rejected::new(
        candidate,
        reason,
        place.map_or(0, |place| words.line(place)),
    )
}

/// The sorts, which of their members are interchangeable, and why.
pub fn sorts(
    signature: &Signature,
    words: &dyn SortWords,
    certified: &CertifiedValues,
) -> Vec<Sort> {
    let of = Of {
        signature,
        words,
        certified,
    };
    let all = 0..signature.sorts.len();
    all.map(|s| of.known(SortId::new(s))).collect()
}

/// What the sorts are of.
struct Of<'a> {
    signature: &'a Signature,
    words: &'a dyn SortWords,
    certified: &'a CertifiedValues,
}

impl Of<'_> {
    fn known(&self, sort: SortId) -> Sort {
        let (words, certified) = (self.words, self.certified);
        let own = self.signature.sort(sort);
        let is_deferred = !own.is_named;
        let named = words.named(sort);
        let name = |e: &usize| own.members[*e].clone();
        let blocks = &certified.blocks()[sort.index()];
        let is_named = |e: &usize| named.contains(e);
        let why = |block: &[usize]| {
            if is_deferred {
                "no formula of B can tell them apart"
            } else if block.iter().any(is_named) {
                "they are used alike"
            } else {
                "they are never named"
            }
        };
        let single = (0..own.members.len()).filter(|e| !blocks.iter().any(|b| b.contains(e)));
        let single: Vec<usize> = single.collect();
        let stays = certified.apart().iter().find(|apart| apart.sort == sort);
        let classes = blocks.iter().map(|block| block[0]).chain(single.clone());
        let classes: Vec<usize> = classes.collect();
        let pairs = classes.iter().skip(1).take(N_PAIRS_MAX);
        let told_apart = pairs.filter_map(|other| {
            let by = words.told_apart(sort, [classes[0], *other])?;
            Some(ToldApart {
                of: [name(&classes[0]), name(other)],
                by,
            })
        });
        let alike = blocks.iter().map(|block| Exchangeable {
            members: block.iter().map(name).collect(),
            reason: why(block).to_owned(),
        });
        let moves = certified.act().points().moves(sort);
        Sort {
            kind: if is_deferred {
                "deferred"
            } else {
                "enumerated"
            }
            .to_owned(),
            moves: Some(!blocks.is_empty() && moves),
            interchangeable: alike.collect(),
            single: single.iter().map(name).collect(),
            apart: stays.map(|apart| reasons::apart(&apart.reason)),
            in_states: Some(blocks.is_empty() || moves),
            told_apart: told_apart.collect(),
            ..Sort::inferred(own.name.clone(), own.members.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{SourceId, Span};
    use model::values::{Objection, Part, Place, Sort};

    /// Every place is its own line.
    struct Places;

    impl SortWords for Places {
        fn named(&self, _: SortId) -> Vec<usize> {
            Vec::new()
        }

        fn told_apart(&self, _: SortId, _: [usize; 2]) -> Option<String> {
            None
        }

        fn line(&self, place: Span) -> u32 {
            place.start
        }

        fn limits(&self) -> Vec<(&'static str, usize)> {
            Vec::new()
        }
    }

    #[test]
    fn members_that_are_rejected_are_told_with_the_place_that_says_so() {
        let sort = Sort {
            name: "E".to_owned(),
            members: (0..20).map(|n| format!("e{n}")).collect(),
            is_named: true,
        };
        let signature = Signature {
            sorts: vec![sort],
            ..Signature::default()
        };
        let place = Place {
            part: Part::Operation("put".to_owned()),
            refined: None,
            span: Some(Span::new(SourceId::new(0), 7..9)),
        };
        let told = |members: Vec<usize>| {
            let rejected = reduce::values::Rejected {
                sort: SortId::new(0),
                members,
                objection: Objection::Changed(place.clone()),
            };
            super::rejected(&rejected, &signature, &Places)
        };
        let two = told(vec![3, 5]);
        assert_eq!(two.candidate, "(e3 e5)");
        assert_eq!(two.reason, "the operation `put` would not stay the same");
        assert_eq!(two.line, Some(7));
        assert_eq!(told(vec![3, 5, 6]).candidate, "{e3 e5 e6}");
        let all = told((0..20).collect()).candidate;
        assert_eq!(all, "{e0 e1 e2 e3 e4 e5 e6 e7 … e19} (20)");
    }
}
