//! The flags of `orbit serve`.

use super::machine::SizeFlags;
use super::model::ModelFlags;
use clap::Args;
use std::ffi::OsString;

/// What was typed after `orbit serve`.
#[derive(Args, Debug)]
pub struct ServeFlags {
    /// Which model.
    #[command(flatten)]
    pub model: ModelFlags,

    /// Listen here; the default is any port that is free
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,

    /// Open the address in the browser of this machine
    #[arg(long)]
    pub open: bool,

    /// Of a CSPM script: the process to step through; the default is that of the first assertion
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,

    /// Let no check take longer than this: 30s, 5m, 2h; the default is 10m
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,

    /// Let no check use more memory for states than this: 512M, 4G; the default is most of what is
    /// free
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// How many elements deferred sets have.
    #[command(flatten)]
    pub sizes: SizeFlags,
}

impl ServeFlags {
    /// What is typed to name the same model in another command, its file last.
    pub fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let ModelFlags {
            file,
            language,
            define,
            undefine,
            include,
            plain,
            spin_compat,
        } = &self.model;
        let SizeFlags {
            set_size,
            default_set_size,
            maxint,
            minint,
        } = &self.sizes;
        words.extend(define.iter().map(|word| format!("-D{word}").into()));
        words.extend(undefine.iter().map(|word| format!("-U{word}").into()));
        for folder in include {
            words.push("-I".into());
            words.push(folder.into());
        }
        words.extend(
            language
                .iter()
                .map(|word| format!("--language={word}").into()),
        );
        words.extend(plain.then(|| "--plain".into()));
        words.extend(spin_compat.then(|| "--spin-compat".into()));
        words.extend(
            set_size
                .iter()
                .map(|word| format!("--set-size={word}").into()),
        );
        let numbers = [
            ("default-set-size", default_set_size.map(|n| n.to_string())),
            ("maxint", maxint.map(|n| n.to_string())),
            ("minint", minint.map(|n| n.to_string())),
        ];
        for (flag, number) in numbers {
            words.extend(number.map(|number| format!("--{flag}={number}").into()));
        }
        words.push("--".into());
        words.extend(file.iter().map(Into::into));
        words
    }
}

/// Examples that end the help of `orbit serve`.
pub const EXAMPLES: &str = "\
Examples:
  orbit serve mutex.pml                 prints an address; open it in a browser
  orbit serve --open phonebook.mch      the same, and opens it
  orbit serve -D N=3 mutex.pml          with a macro, as in `orbit check`

The page shows the source, the steps that can be taken, the state and what changed in it, checks
and their counterexamples as charts, the symmetry, and the state space. Only this machine gets an
answer, and only with the token that is in the address. Ctrl-C ends it.";
