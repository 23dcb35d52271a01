//! Which orders of sorting could have given the column *last* of figure 6 of Derepas and Gastin.
//!
//! Their columns *none* and *first* fix the model: `n` clients, each connected to at most one
//! server and in one of three modes, a server to at most one client, and clients sorted by their
//! reference alone. What was declared before the reference in the last column must then be data of
//! the client that the mode determines. All such data are tried: each function of the mode, before
//! the reference or instead of it, nobody referred to being first or last, servers sorted by
//! whether they are taken, by who has them, or not at all, clients before servers or after them,
//! by five ways of sorting.
//!
//! Worked example, two clients and two servers: the reference first, servers sorted first, by
//! selection: 27 states, as printed. The mode before the reference: 24 or so; 40 by none.
//!
//! The model is so small that it is written here as such: a state is a list of clients.

use std::collections::HashSet;

/// A client: the server from 1 that it has, or 0, and its mode.
type Client = (u8, u8);

/// How instances are sorted, by comparing and exchanging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    Selection,
    Exchange,
    Bubble,
    OnePass,
    Insertion,
}

/// What clients are compared by.
#[derive(Clone, Copy, Debug)]
struct ClientKey {
    /// By mode: what stands before the reference.
    before: [u8; 3],
    /// What stands for no server; nothing if references are not compared.
    none: Option<u8>,
}

/// What servers are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ServerKey {
    Nothing,
    Free,
    Taken,
    Holder,
    HolderOrLast,
}

/// An order of sorting.
#[derive(Clone, Copy, Debug)]
struct SortingRule {
    clients: ClientKey,
    servers: ServerKey,
    servers_first: bool,
    method: Method,
}

impl SortingRule {
    /// All that are tried.
    fn all() -> Vec<SortingRule> {
        use Method::{Bubble, Exchange, Insertion, OnePass, Selection};
        use ServerKey::{Free, Holder, HolderOrLast, Nothing, Taken};
        let mut all = Vec::new();
        for before in (0..27).map(|n| [n % 3, n / 3 % 3, n / 9]) {
            for none in [None, Some(0), Some(u8::MAX)] {
                for servers in [Nothing, Free, Taken, Holder, HolderOrLast] {
                    for method in [Selection, Exchange, Bubble, OnePass, Insertion] {
                        for servers_first in [false, true] {
                            all.push(SortingRule {
                                clients: ClientKey { before, none },
                                servers,
                                servers_first,
                                method,
                            });
                        }
                    }
                }
            }
        }
        all
    }

    fn client(&self, client: Client) -> (u8, u8) {
        let reference = match (self.clients.none, client.0) {
            (None, _) => 0,
            (Some(none), 0) => none,
            (Some(_), server) => server,
        };
        (self.clients.before[usize::from(client.1)], reference)
    }

    fn server(&self, server: u8, clients: &[Client]) -> u8 {
        let holder = clients.iter().position(|client| client.0 == server);
        let holder = holder.map(|n| n as u8 + 1);
        match self.servers {
            ServerKey::Nothing => 0,
            ServerKey::Free => u8::from(holder.is_some()),
            ServerKey::Taken => u8::from(holder.is_none()),
            ServerKey::Holder => holder.unwrap_or(0),
            ServerKey::HolderOrLast => holder.unwrap_or(u8::MAX),
        }
    }

    fn reduce(&self, clients: &mut [Client]) {
        let n = clients.len();
        let by_client = |c: &[Client], i: usize, j: usize| self.client(c[i]) < self.client(c[j]);
        let number = |i: usize| i as u8 + 1;
        let by_server = |c: &[Client], i: usize, j: usize| {
            self.server(number(i), c) < self.server(number(j), c)
        };
        let rename = |c: &mut [Client], i: usize, j: usize| {
            for client in c {
                if client.0 == number(i) {
                    client.0 = number(j);
                } else if client.0 == number(j) {
                    client.0 = number(i);
                }
            }
        };
        for round in [self.servers_first, !self.servers_first] {
            if round {
                let by = Comparison {
                    is_less: &by_server,
                    exchange: &rename,
                };
                self.method.sort(n, clients, by);
            } else {
                let swap = |c: &mut [Client], i: usize, j: usize| c.swap(i, j);
                let by = Comparison {
                    is_less: &by_client,
                    exchange: &swap,
                };
                self.method.sort(n, clients, by);
            }
        }
    }

    /// How many states a search stores that goes on from what sorting makes of each.
    fn n_states(&self, n: usize) -> usize {
        let first = vec![(0, 0); n];
        let mut seen = HashSet::from([first.clone()]);
        let mut waiting = vec![first];
        while let Some(clients) = waiting.pop() {
            for mut next in successors(&clients) {
                self.reduce(&mut next);
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        seen.len()
    }
}

/// Whether one comes before another, and what exchanges two.
struct Comparison<'a> {
    is_less: &'a dyn Fn(&[Client], usize, usize) -> bool,
    exchange: &'a dyn Fn(&mut [Client], usize, usize),
}

impl Method {
    fn sort(self, n: usize, clients: &mut [Client], by: Comparison<'_>) {
        let Comparison { is_less, exchange } = by;
        let mut order = |i: usize, j: usize| {
            let is_wrong = is_less(clients, j, i);
            if is_wrong {
                exchange(clients, i, j);
            }
            is_wrong
        };
        match self {
            Method::Exchange => (0..n).for_each(|i| {
                (i + 1..n).for_each(|j| {
                    order(i, j);
                });
            }),
            Method::OnePass | Method::Bubble => {
                let n_rounds = if self == Method::Bubble { n } else { 1 };
                (0..n_rounds).for_each(|_| {
                    (1..n).for_each(|j| {
                        order(j - 1, j);
                    });
                });
            }
            Method::Insertion => (1..n).for_each(|i| {
                let _ = (1..=i).rev().take_while(|j| order(j - 1, *j)).count();
            }),
            Method::Selection => {
                for i in 0..n {
                    let least =
                        (i + 1..n).fold(
                            i,
                            |least, j| {
                                if is_less(clients, j, least) { j } else { least }
                            },
                        );
                    if least != i {
                        exchange(clients, i, least);
                    }
                }
            }
        }
    }
}

fn successors(clients: &[Client]) -> Vec<Vec<Client>> {
    let mut all = Vec::new();
    for (i, (server, mode)) in clients.iter().enumerate() {
        let mut put = |client: Client| {
            let mut next = clients.to_vec();
            next[i] = client;
            all.push(next);
        };
        put((*server, (mode + 1) % 3));
        if *server > 0 {
            put((0, *mode));
            continue;
        }
        for free in 1..=clients.len() as u8 {
            if clients.iter().all(|client| client.0 != free) {
                put((free, *mode));
            }
        }
    }
    all
}

/// What is said below the table.
pub fn note() -> String {
    let rules = SortingRule::all();
    let numbers = rules.iter().map(|rule| (rule, rule.n_states(2)));
    let numbers: Vec<(&SortingRule, usize)> = numbers.collect();
    let is = |n: usize| numbers.iter().filter(|(_, found)| *found == n).count();
    let first: Vec<&SortingRule> = numbers.iter().filter(|n| n.1 == 27).map(|n| n.0).collect();
    let kept = first.iter().filter(|rule| rule.n_states(3) == 108);
    format!(
        "{} orders of sorting were tried on two clients and two servers: {} leave 27 states, and \
         {} of these 108 with three, as printed for *first*; {} leave 40, as printed for *last*.",
        rules.len(),
        is(27),
        kept.count(),
        is(40),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_order_of_sorting_gives_the_last_column_and_some_give_the_first() {
        let note = note();
        assert!(
            note.ends_with("; 0 leave 40, as printed for *last*."),
            "{note}"
        );
        let by_reference = SortingRule {
            clients: ClientKey {
                before: [0; 3],
                none: Some(0),
            },
            servers: ServerKey::Free,
            servers_first: true,
            method: Method::Selection,
        };
        let first = [2, 3, 4].map(|n| by_reference.n_states(n));
        assert_eq!(first, [27, 108, 405]);
        // Not sorted at all: the matchings, times three modes for each client.
        let none = SortingRule {
            clients: ClientKey {
                before: [0; 3],
                none: None,
            },
            servers: ServerKey::Nothing,
            ..by_reference
        };
        assert_eq!([2, 3].map(|n| none.n_states(n)), [63, 918]);
    }
}
