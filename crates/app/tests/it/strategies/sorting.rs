//! Representatives by sorting beside those by drawing, and beside enumeration.

use super::{model, reachable};
use check::Reducer;
use reduce::canonical::Canonical;
use system::passes::Setting;

#[test]
fn census() {
    for (name, defines) in [
        ("agents.pml", &[][..]),
        ("email.pml", &["N=3", "CAP=1"]),
        ("mutex.pml", &[]),
        ("peterson_n.pml", &[]),
        ("peterson_scan.pml", &["N=2"]),
        ("readers_writers.pml", &[]),
        ("allocator.pml", &[]),
        ("loadbalancer.pml", &["M=2", "N=3"]),
        ("three_tiered.pml", &[]),
        ("loadbalancer_blocked.pml", &[]),
        ("dining.pml", &[]),
    ] {
        let machine = model(name, defines).machine(Setting::Best);
        let found = reduce::find(&machine).expect("the making goes well");
        let mut canonical = Canonical::new(&found.certified);
        let states = reachable(&machine);
        let mut n_sorted = 0;
        for state in &states {
            canonical.reduce(&mut state.clone());
            n_sorted += usize::from(canonical.has_sorted());
        }
        println!(
            "{name} {} {n_sorted} of {}",
            canonical.can_sort(),
            states.len()
        );
    }
}
