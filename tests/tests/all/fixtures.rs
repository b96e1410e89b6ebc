//! What several tests of the chess commands use. Stand-ins are machine programs whose answers the test chooses
//! (`--program`), so that every ending can be reached.

use crate::command::Ended;
use crate::command::m220;
use chess_reference::Placement;
use chess_reference::Task;
use chess_reference::attacks;
use chess_reference::bundle;
use chess_reference::shortest_trajectories;
use m220_tests::stand_in::StandIn;
use shakmaty::Board;
use shakmaty::Color;
use shakmaty::Role;
use shakmaty::Square;
use std::path::Path;
use std::path::PathBuf;
use tempfile::TempDir;

pub const FIG_22: &str = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30";

/// A folder for the files of one test.
pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub fn written(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

pub fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub fn king_a4_h4() -> StandIn {
    let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
    let list = shortest_trajectories(&Board::empty(), &king, None).unwrap().list;
    StandIn::answering_task(&list, &bundle(&Board::empty(), &king, None))
}

pub fn fig_22_attacks() -> StandIn {
    let fig_22 = Placement::from_fen(FIG_22).unwrap();
    StandIn::answering_attacks(&attacks(&fig_22.board, Color::White, 3).unwrap())
}

pub const KING: [&str; 7] = ["trajectories", "--piece", "king", "--from", "a4", "--to", "h4"];

pub fn king(more: &[&str]) -> Ended {
    m220(&[&KING[..], more].concat())
}

/// A program that finds no attacks anywhere.
pub fn blind() -> String {
    StandIn::default().source()
}
