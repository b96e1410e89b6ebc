//! probe
use chess_reference::map::*;
use chess_reference::*;
fn main() {
    let fen = std::env::args().nth(1).unwrap_or("8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30".into());
    let h = std::env::args().nth(2).map_or(3, |x| x.parse().unwrap());
    let p = Position::from_fen(&fen).unwrap();
    let t = std::time::Instant::now();
    let mut n = 0;
    for _ in 0..2000 {
        n += Map::new(&p, h).unwrap().values.len();
    }
    println!("{n} {:?}", t.elapsed() / 2000);
    for v in Map::new(&p, h).unwrap().values {
        println!(
            "{:?} {} {} -> {} {:?} aim {} doomed {} q {}",
            v.attack.side,
            v.attack.piece.char(),
            v.attack.from,
            v.attack.to,
            v.attack.target,
            v.aim,
            v.doomed(),
            v.closed_fields()
        );
        for r in &v.routes {
            print!("   {} F={} val={}", r.trajectory, r.function, r.value);
            for f in &r.fields {
                print!(
                    " {}({};m={};{})",
                    f.f,
                    f.square,
                    f.m,
                    f.negations
                        .iter()
                        .map(|n| format!(
                            "{}{}:{}{}",
                            n.role.char(),
                            n.way.iter().map(|s| s.to_string()).collect::<String>(),
                            n.m,
                            match n.second {
                                None => "".into(),
                                Some(s) => format!("!{s:?}"),
                            }
                        ))
                        .collect::<Vec<_>>()
                        .join(",")
                );
            }
            print!(" [{}]", r.retreats.iter().map(|r| format!("{}{}", r.f, r.square)).collect::<Vec<_>>().join(","));
            for b in &r.blocks {
                print!(" block {}{}{}:{:?} f{}", b.role.char(), b.from, b.on, b.m, b.f);
            }
            println!();
        }
    }
}
