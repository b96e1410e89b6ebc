use chess_reference::algorithm50::*;
use shakmaty::{*, fen::Fen, san::SanPlus};
use std::io::BufRead;
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let Some((moves, rest)) = line.split_once(' ') else { continue };
        let n: u32 = moves.parse().unwrap();
        let fen = if let Some(san) = rest.strip_prefix("game ") {
            let mut pos = Chess::default();
            for s in san.split_whitespace() {
                let s = s.rsplit('.').next().unwrap();
                if s.is_empty() { continue }
                let m = s.parse::<SanPlus>().unwrap().san.to_move(&pos).unwrap_or_else(|e| panic!("{s}: {e}"));
                pos.play_unchecked(m);
            }
            Fen::from_position(&pos, EnPassantMode::Legal).to_string()
        } else { rest.to_string() };
        match Problem::from_fen(&fen) {
            Err(e) => println!("{fen}: {e}"),
            Ok(p) => {
                let t = std::time::Instant::now();
                match solve(&p, n, Limits{positions: Some(200_000_000), list: None}) {
                    Err(e) => println!("{fen}: {e}"),
                    Ok(s) => {
                        println!("{fen} #{n} {:?} {:?} {:?}", s.keys.iter().map(|k| k.to_string()).collect::<Vec<_>>(), s.positions_visited.levels(), t.elapsed());
                        for k in s.keys.iter().take(4) { let t = solve_key(&p, n, *k, Limits::default()).unwrap(); let s = t.to_string(); println!("   {}", &s[..s.len().min(300)]); }
                    }
                }
            }
        }
    }
}
