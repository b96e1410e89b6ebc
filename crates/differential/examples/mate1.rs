//! scratch
use differential::*;
fn main() {
    let program = mate::MateProgram::built_in().unwrap();
    let settings = Settings::new(m220_isa::Model::M220, 2_000_000_000);
    let args: Vec<String> = std::env::args().collect();
    let seed: u64 = args[1].parse().unwrap();
    let n: u64 = args[2].parse().unwrap();
    let force: u32 = args[3].parse().unwrap();
    let judge = |c: &mate_positions::MateCase| program.compare(&c.problem, c.moves, settings).unwrap().verdict;
    let mut bad = 0;
    for i in 0..n {
        let mut c = mate_positions::case(seed, i);
        if force > 0 {
            c.moves = force;
        }
        if judge(&c) != Verdict::Equal {
            bad += 1;
            if bad <= 4 {
                'o: loop {
                    for s in mate_positions::simpler(&c) {
                        if judge(&s) != Verdict::Equal {
                            c = s;
                            continue 'o;
                        }
                    }
                    break;
                }
                println!("{} #{} {:?}", c.problem.fen(), c.moves, judge(&c));
            }
        }
    }
    println!("{bad} bad of {n}");
}
