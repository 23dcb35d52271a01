//! What `orbit check` and `orbit simulate` share: the model, its macros, and whose rules hold.

use clap::Args;
use std::path::PathBuf;

/// Which model is meant.
#[derive(Args, Debug)]
pub struct ModelFlags {
    /// The model: Promela, or a B machine if the name ends in .mch, .ref or .imp, or a CSPM script
    /// if it ends in .csp or .cspm; `-` is standard input, in Promela
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Define a macro, as `#define NAME VALUE` would; 1 if there is no value
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// See to it that a macro is not defined
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,

    /// Also look in this folder for files that the model includes
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Every statement is a step: without symmetry the states of `spin -o1 -o2 -o3 -a`
    #[arg(long, conflicts_with = "spin_compat")]
    pub plain: bool,

    /// The steps of `spin -a`, with its merging of statements and resetting of dead variables, and
    /// without symmetry its states
    #[arg(long)]
    pub spin_compat: bool,
}

/// What a model is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Promela.
    Promela,
    /// Classical B.
    B,
    /// CSPM.
    Cspm,
}

impl ModelFlags {
    /// The language, by the end of the file's name.
    pub fn language(&self) -> Language {
        let ending = self.file.as_deref().and_then(|file| file.extension());
        match ending.and_then(|ending| ending.to_str()) {
            Some("mch" | "ref" | "imp" | "sys") => Language::B,
            Some("csp" | "cspm" | "fdr2" | "fdr3") => Language::Cspm,
            _ => Language::Promela,
        }
    }
}
