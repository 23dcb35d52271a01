//! The binary `orbit`.

fn main() -> std::process::ExitCode {
    orbit::orbit()
}
