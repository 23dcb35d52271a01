//! What the commands about models share: the model, its language, its macros, and whose rules hold.

use clap::Args;
use std::path::PathBuf;

/// Which model is meant.
#[derive(Args, Clone, Default, Debug)]
pub struct ModelFlags {
    /// The model: Promela (.pml), a B machine (.mch, .ref, .imp or .sys) or a CSPM script (.csp or
    /// .cspm); of another name, and of `-`, standard input, the text is looked at
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// What the model is written in: promela, b or cspm; the default looks at the end of its name,
    /// then at its text
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

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
