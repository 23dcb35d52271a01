//! `orbit` with one more language.

fn main() -> std::process::ExitCode {
    orbit::orbit_with(&[&orbit::OfProcesses(&toy::Toy)])
}
