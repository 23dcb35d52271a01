//! Pictures of graphs, by the public interface.

mod abstractions;
mod drawing;
mod layouts;
mod machines;
mod parts;
mod random;
