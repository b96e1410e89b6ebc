//! probe
use chess_reference::map::*;
use chess_reference::*;
fn main() {
    let fen = std::env::args()
        .nth(1)
        .filter(|x| x != "-")
        .unwrap_or("8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30".into());
    let h = std::env::args().nth(2).map_or(3, |x| x.parse().unwrap());
    let lim = std::env::args().nth(3).map_or(3000, |x| x.parse().unwrap());
    let p = Position::from_fen(&fen).unwrap();
    if let Some(l) = std::env::args().nth(5) {
        follow(&p, h, lim, &l);
    } else {
        probe(&p, h, lim, std::env::args().nth(4));
    }
}
