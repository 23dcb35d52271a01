//! Threads that wait for work, as long as a search lasts.
//!
//! Starting a thread for each piece of work would cost more than most pieces: its stack is large
//! and comes from the system each time. So threads start when they are first needed and stay. Work
//! owns what it needs and gives it back when it is done, since it may not borrow from the search.
//!
//! Worked example: three pieces of work and two threads. The first goes to the other thread, the
//! second is done here, the third by whoever of the two is free first.

use std::cell::RefCell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope};

/// Work for a thread.
type Task<'s> = Box<dyn FnOnce() + Send + 's>;

/// Starts a thread that does what it is sent; `false` if there are no more threads to be had.
type Start<'s> = Box<dyn Fn(Receiver<Task<'s>>) -> bool + 's>;

/// Threads that wait for work.
pub struct Pool<'s> {
    start: Start<'s>,
    others: RefCell<Vec<Sender<Task<'s>>>>,
    /// How many others there are to be, at most.
    n_others: usize,
}

impl<'s> Pool<'s> {
    /// Up to `n` threads, the caller's among them, none of which has started.
    pub fn new<'e>(scope: &'s Scope<'s, 'e>, n: usize, stack_bytes: usize) -> Pool<'s> {
        let start = move |tasks: Receiver<Task<'s>>| {
            let work = move || tasks.iter().for_each(|task| task());
            let builder = Builder::new().stack_size(stack_bytes);
            builder.spawn_scoped(scope, work).is_ok()
        };
        Pool {
            start: Box::new(start),
            others: RefCell::new(Vec::new()),
            n_others: n.saturating_sub(1),
        }
    }

    /// Does all pieces of work, here and on the other threads; gives what they give, in order.
    ///
    /// # Panics
    /// If one of them panics.
    pub fn run<T: Send + 's>(&self, work: Vec<impl FnOnce() -> T + Send + 's>) -> Vec<T> {
        let n_pieces = work.len();
        let (done, results) = channel();
        let numbered: Vec<_> = work.into_iter().enumerate().collect();
        let waiting = Arc::new(Mutex::new(numbered));
        let each = move |done: Sender<(usize, T)>| {
            loop {
                let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some((n, piece)) = next else {
                    return;
                };
                // Nobody waits any more only if another piece has panicked.
                if done.send((n, piece())).is_err() {
                    return;
                }
            }
        };
        for other in &self.others(n_pieces.saturating_sub(1)) {
            let (each, done) = (each.clone(), done.clone());
            // A thread that has panicked takes nothing; the panic is seen below.
            let _ = other.send(Box::new(move || each(done)));
        }
        each(done);
        let mut all: Vec<(usize, T)> = results.iter().collect();
        assert_eq!(all.len(), n_pieces, "a thread of the search has panicked");
        all.sort_unstable_by_key(|(n, _)| *n);
        all.into_iter().map(|(_, result)| result).collect()
    }

    /// So many other threads, or as many as there are.
    fn others(&self, n: usize) -> Vec<Sender<Task<'s>>> {
        let mut others = self.others.borrow_mut();
        let wanted = n.min(self.n_others);
        while others.len() < wanted {
            let (sender, tasks) = channel();
            if !(self.start)(tasks) {
                break;
            }
            others.push(sender);
        }
        others.iter().take(wanted).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn all_work_is_done_and_comes_back_in_order() {
        thread::scope(|scope| {
            let pool = Pool::new(scope, 3, 1 << 20);
            for n in [0, 1, 2, 3, 50] {
                let work = (0..n).map(|i| move || i * i).collect();
                let expected: Vec<u64> = (0..n).map(|i| i * i).collect();
                assert_eq!(pool.run(work), expected);
            }
        });
    }

    #[test]
    fn a_panic_of_a_thread_is_one_of_the_search() {
        for at in 0..8 {
            let panics = std::panic::catch_unwind(|| {
                thread::scope(|scope| {
                    let pool = Pool::new(scope, 2, 1 << 20);
                    let work = (0..8).map(|i| move || assert!(i != at, "piece {i}"));
                    pool.run(work.collect());
                });
            });
            assert!(panics.is_err(), "piece {at}");
        }
    }
}
