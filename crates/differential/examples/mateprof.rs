//! scratch
use chess_reference::algorithm50::*;
use differential::*;
use std::collections::BTreeMap;
fn main() {
    let program = mate::MateProgram::built_in().unwrap();
    let settings = Settings::new(m220_isa::Model::M220, 2_000_000_000);
    let image = program.program().image();
    let labels: Vec<(usize, String)> = {
        let mut v: Vec<_> = image
            .symbols
            .iter()
            .filter(|(n, s)| s.kind == m220_asm::SymbolKind::Cell && (!n.contains('.') || std::env::args().len() > 1))
            .map(|(n, s)| (s.value as usize, n.clone()))
            .collect();
        v.sort();
        v
    };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut total = 0;
    let mut calls: BTreeMap<&str, u64> = BTreeMap::new();
    for k in problem_set().unwrap().iter().step_by(7) {
        let run = program.prepare(&k.problem, k.moves, None, settings).unwrap();
        let mut m = run.machine().clone();
        m.start(image.entry.unwrap());
        loop {
            let at = m.next_cell().index();
            if m.step().is_some() {
                break;
            }
            let i = labels.partition_point(|l| l.0 <= at);
            *counts.entry(if i == 0 { "0".into() } else { labels[i - 1].1.clone() }).or_default() += 1;
            total += 1;
            for n in [
                "full", "replies", "lasts", "make", "attacked", "discover", "checks", "survey", "keep", "paint",
                "king", "verify",
            ] {
                if image.cell(n).unwrap().index() == at {
                    *calls.entry(n).or_default() += 1;
                }
            }
        }
    }
    println!("{total} {calls:?}");
    let mut v: Vec<_> = counts.into_iter().collect();
    v.sort_by_key(|x| std::cmp::Reverse(x.1));
    for (n, c) in v.iter().take(60) {
        println!("{n:20} {:6.2}%", 100.0 * *c as f64 / total as f64);
    }
}
