//! scratch
use chess_reference::algorithm50::*;
use differential::*;
fn main() {
    let program = mate::MateProgram::built_in().unwrap();
    let settings = Settings::new(m220_isa::Model::M220, 2_000_000_000);
    let args: Vec<String> = std::env::args().collect();
    if args.len() > 2 {
        let p = Problem::from_fen(&args[1]).unwrap();
        let c = program.compare(&p, args[2].parse().unwrap(), settings).unwrap();
        println!("{:?}\n{:?}\n{:?}", c.native, c.machine, c.verdict);
        for t in c.trees {
            println!("{:?}", t.1.outcome);
        }
        return;
    }
    let keys_only = args.len() > 1;
    let mut total = 0.0;
    for k in problem_set().unwrap() {
        let (verdict, machine) = if keys_only {
            let native = solve(&k.problem, k.moves, Limits::default()).unwrap();
            let m = program.keys(&k.problem, k.moves, settings).unwrap();
            (Verdict::between(Ok(&native), &m.outcome, mate::compare_keys), m)
        } else {
            let c = program.compare(&k.problem, k.moves, settings).unwrap();
            (c.verdict, c.machine)
        };
        let visits: u64 = machine.outcome.answer().map_or(0, |a| a.visits.iter().sum());
        total += machine.report.clock.m220.microseconds() / 1e6;
        println!(
            "{:32} {} {:9} instr {:8.2} s {:7} visits  {}",
            k.id,
            k.moves,
            machine.report.clock.instructions,
            machine.report.clock.m220.microseconds() / 1e6,
            visits,
            match &verdict {
                Verdict::Equal => "ok".to_owned(),
                Verdict::Different(d) => d.iter().take(8).map(|d| d.to_string()).collect::<Vec<_>>().join("; "),
                v => format!("{v:?}"),
            }
        );
    }
    println!("{total} s");
}
