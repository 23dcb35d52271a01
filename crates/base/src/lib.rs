//! Source text, spans and diagnostics: what every front end and the binary share.
