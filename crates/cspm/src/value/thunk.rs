//! Work that is put off: what it is, and what came of it.
//!
//! A thunk is worked out at most once; who asks for it while it is being worked out has found a
//! definition that needs itself. If the work fails it is put back, so that asking again fails in
//! the same way.
//!
//! Thunks hold values that hold thunks: `count(n, k) = count(n - 1, k + f(n))` makes a chain as
//! long as `n`. Dropping such a chain by plain recursion would overflow the stack, so it is
//! unlinked in a loop.

use super::{Function, LazyId, Value};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Work that is put off.
#[derive(Debug)]
pub struct Thunk {
    done: OnceLock<Value>,
    todo: Mutex<Option<Todo>>,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Todo {
    /// Evaluate an expression, with the values of its free variables.
    Code(LazyId, Arc<[Value]>),
    /// Evaluate a member of a group of local definitions.
    Member(Arc<super::DefinitionGroup>, u32),
    /// The second sequence behind the first.
    Append(Value, Value),
    /// All of a sequence of sequences, one after the other.
    Concat(Value),
    /// Numbers from this one on.
    From(i64),
    /// The rest of a comprehension: its code, the variables, and what its generators have left.
    Such(LazyId, Vec<Value>, Vec<Value>),
}

impl Thunk {
    /// Work to be done.
    pub fn new(todo: Todo) -> Thunk {
        Thunk {
            done: OnceLock::new(),
            todo: Mutex::new(Some(todo)),
        }
    }

    /// Work that is done.
    pub fn known(value: Value) -> Thunk {
        Thunk {
            done: OnceLock::from(value),
            todo: Mutex::new(None),
        }
    }

    /// What came of it, if it is done.
    pub fn done(&self) -> Option<&Value> {
        self.done.get()
    }

    /// Takes the work; none if it is done or somebody is at it.
    pub fn take(&self) -> Option<Todo> {
        self.slot().take()
    }

    /// Puts work back that failed.
    pub(crate) fn put_back(&self, todo: Todo) {
        *self.slot() = Some(todo);
    }

    /// Keeps what came of it.
    pub fn finish(&self, value: Value) {
        // A second result cannot differ from the first; the first stays.
        let _ = self.done.set(value);
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Todo>> {
        self.todo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Thunk {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        unlink(self, &mut pending);
        while let Some(value) = pending.pop() {
            match value {
                Value::Thunk(thunk) => {
                    if let Some(mut thunk) = Arc::into_inner(thunk) {
                        unlink(&mut thunk, &mut pending);
                    }
                }
                Value::Seq(seq) => {
                    let (chunk, rest) = seq.into_parts();
                    pending.extend(Arc::into_inner(chunk).into_iter().flatten());
                    if let Some(mut thunk) = rest.and_then(Arc::into_inner) {
                        unlink(&mut thunk, &mut pending);
                    }
                }
                Value::Tuple(parts) => empty(parts, &mut pending),
                Value::Function(function) => {
                    let own = Arc::into_inner(function);
                    if let Some(Function::Closure {
                        captured, given, ..
                    }) = own
                    {
                        empty(captured, &mut pending);
                        empty(given, &mut pending);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Moves what a thunk holds into `pending`, as far as nobody else holds it.
fn unlink(thunk: &mut Thunk, pending: &mut Vec<Value>) {
    if let Some(value) = thunk.done.take() {
        pending.push(value);
    }
    let todo = thunk.todo.get_mut().unwrap_or_else(PoisonError::into_inner);
    match todo.take() {
        Some(Todo::Code(_, captured)) => empty(captured, pending),
        Some(Todo::Append(first, second)) => pending.extend([first, second]),
        Some(Todo::Concat(all)) => pending.push(all),
        Some(Todo::Such(_, slots, left)) => pending.extend(slots.into_iter().chain(left)),
        Some(Todo::Member(..) | Todo::From(_)) | None => {}
    }
}

fn empty(parts: Arc<[Value]>, pending: &mut Vec<Value>) {
    let mut parts = parts;
    let own = Arc::get_mut(&mut parts).into_iter().flatten();
    pending.extend(own.map(|value| std::mem::replace(value, Value::nothing())));
}
