//! The flags of the commands with which one starts: completions, manual pages, examples.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// What was typed after `orbit completions`.
#[derive(Args, Debug)]
pub struct CompletionsFlags {
    /// The shell that is to complete words of `orbit`
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// What was typed after `orbit man`.
#[derive(Args, Debug)]
pub struct ManFlags {
    /// The folder that the pages are written into; it is made if it is not there
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// What was typed after `orbit example`.
#[derive(Args, Debug)]
pub struct ExampleFlags {
    /// Which model to print; without a name all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// Examples that end the help of `orbit completions`.
pub const COMPLETIONS: &str = "\
Examples:
  orbit completions bash > ~/.local/share/bash-completion/completions/orbit
  orbit completions zsh > \"${fpath[1]}/_orbit\"
  orbit completions fish > ~/.config/fish/completions/orbit.fish";

/// Examples that end the help of `orbit man`.
pub const MAN: &str = "\
Examples:
  orbit man ~/.local/share/man/man1     then `man orbit` and `man orbit-check`";

/// Examples that end the help of `orbit example`.
pub const EXAMPLE: &str = "\
Examples:
  orbit example                         what there is
  orbit example mutex > mutex.pml       a model to begin with
  orbit example mutex | orbit check -   the same, checked at once";
