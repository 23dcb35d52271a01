//! The flags of `orbit lsp`.

use clap::Args;

/// What was typed after `orbit lsp`.
#[derive(Args, Debug)]
pub struct LspFlags {
    /// Speak over standard input and output: it always does, and some editors say so
    #[arg(long)]
    pub stdio: bool,
}

/// Examples that end the help of `orbit lsp`.
pub const EXAMPLES: &str = "\
Editors start it: docs/guide/editors.md shows the settings of VS Code, Neovim, Emacs and Helix.

It speaks the Language Server Protocol: messages while one types, where names are declared and used,
what is told of them and what is interchangeable with them, completion, and a check of each property
at the click of a mouse.

Exit codes:
  0 shut down as the protocol wants it    1 the client went away without that";
