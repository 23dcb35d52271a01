//! Options of SPIN's verifiers that are no macros of the model.

use base::{Diagnostic, Diagnostics};

/// The name in `NAME`, `NAME=VALUE` or `NAME(A,B)=VALUE`.
pub fn macro_name(define: &str) -> &str {
    define.split(['=', '(']).next().unwrap_or(define)
}

/// Names that mean something to the C text that SPIN writes, and nothing to a model.
const DIRECTIVES: &[&str] = &[
    "SAFETY",
    "NOREDUCE",
    "NOCLAIM",
    "NOFAIR",
    "NFAIR",
    "NP",
    "BFS",
    "BFS_PAR",
    "BITSTATE",
    "HC",
    "HC4",
    "COLLAPSE",
    "MA",
    "SC",
    "REACH",
    "VECTORSZ",
    "MEMLIM",
    "MEMCNT",
    "NCORE",
    "DUAL_CORE",
    "MULTI_CORE",
    "SET_SEG_SIZE",
    "SET_WQ_SIZE",
    "NOBOUNDCHECK",
    "XUSAFE",
    "CHECK",
    "VERBOSE",
    "SDUMP",
    "FULLSTACK",
    "CNTRSTACK",
    "NOSTUTTER",
    "NIBIS",
    "NXT",
    "PEG",
    "PERMUTED",
    "T_RAND",
    "T_REVERSE",
    "P_RAND",
    "P_REVERSE",
    "RANDOMIZE",
    "RANDOMSTORE",
    "BCS",
    "TMODE",
    "NOVSZ",
    "PRINTF",
    "SVDUMP",
    "NGQS",
    "REVERSE",
    "W_XPT",
    "LC",
    "NSUCC",
    "NOCOMP",
    "ZAPH",
    "BUDGET",
];

/// Refuses `-DSAFETY` and the like: here they would define macros that the model does not use, and
/// what they ask of SPIN's verifiers would be ignored.
pub fn refuse_directives(
    defines: &[String],
    texts: &[&str],
    found: &mut Diagnostics,
) -> Option<()> {
    let before = found.n_errors();
    for define in defines {
        let name = macro_name(define);
        let used = texts.iter().any(|text| has_word(text, name));
        if DIRECTIVES.contains(&name) && !used {
            let message = format!("`-D{name}` is an option of SPIN's verifiers");
            let value = define.split_once('=').map_or("512", |(_, value)| value);
            let instead = match name {
                "MEMLIM" => format!("here: `--memory {value}M`"),
                "NP" => "here: `-l`".to_owned(),
                "BFS" | "BFS_PAR" | "REACH" => "here: leave it out; the search is by breadth, \
                                                and error runs are shortest"
                    .to_owned(),
                "BITSTATE" | "HC" | "HC4" | "MA" => {
                    "here: leave it out; states are kept exactly, and compressed".to_owned()
                }
                _ => "here: leave it out; nothing is compiled".to_owned(),
            };
            let unused = "as a macro it does nothing, for the model does not use it";
            found.push(Diagnostic::unlocated(message).note(unused).note(instead));
        }
    }
    (found.n_errors() == before).then_some(())
}

fn has_word(text: &str, word: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !in_word(c)).any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_pan_are_told_from_macros_of_the_model() {
        let refused = |define: &str, text: &str| {
            let mut found = Diagnostics::new();
            refuse_directives(&[define.to_owned()], &[text], &mut found).is_none()
        };
        assert!(refused("SAFETY", "init { skip }"));
        assert!(refused("VECTORSZ=2048", "init { skip }"));
        assert!(!refused("SAFETY", "#ifdef SAFETY\n#endif"));
        assert!(!refused("N=3", "init { skip }"));
        assert!(refused("NP", "NPX"), "another word is no use");
    }

    #[test]
    fn names_of_macros() {
        for define in ["F", "F=1", "F(x)=x+1", "F(x,y)=x==y"] {
            assert_eq!(macro_name(define), "F");
        }
    }
}
