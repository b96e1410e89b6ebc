//! The book's experiment, chapter IV: Fig. 22, analysed with horizons of one, two and three half-moves. The text's
//! statements about later positions are in `data/book-figures.tsv`, which `book_figures.rs` reads.

use chess_reference::map::{
    AfterLine, Analysis, Effort, FirstMove, Gamma, Hope, Interpretation, LineVerdict, OwnPieces, Reason, Recognition,
    Recommendation, Step, StopWorth, Variation, analyse, analyse_by, depth_first,
};
use chess_reference::{Placement, book_positions};
use m220_limits::Limits;
use std::sync::LazyLock;
use std::time::Duration;

fn fig_22() -> Placement {
    Placement::from_fen(book_positions()[0].fen).unwrap()
}

fn analysis(horizon: u32, positions: u64) -> Analysis {
    analyse(&fig_22(), horizon, Effort::of(positions), &Limits::default()).unwrap()
}

/// Limits end it between two moves of a position, and end the report of what was found.
#[test]
fn limits_end_the_analysis_within_a_position() {
    let over = Limits::default().with_timeout(Duration::ZERO);
    let nothing = analyse(&fig_22(), 1, Effort::of(100), &over).unwrap();
    assert!(nothing.interrupted && nothing.moves.is_empty());
    let replies = |limits| {
        let variations = analysis(1, 100).variations(2, limits).unwrap();
        variations.iter().map(|first| first.replies.len()).sum::<usize>()
    };
    assert_eq!(replies(&over), 0);
    assert!(replies(&Limits::default()) > 0);
}

/// The long analysis, computed once for all tests.
static THREE: LazyLock<Analysis> = LazyLock::new(|| analysis(3, 200_000));

fn step(text: &str) -> Step {
    Step { from: text[..2].parse().unwrap(), to: text[2..].parse().unwrap() }
}

fn line(text: &str) -> Vec<Step> {
    text.split_whitespace().map(step).collect()
}

/// The analysis of the position after a line from Fig. 22, within at most `limit` positions.
fn after_line(horizon: u32, moves: &str, limit: u64) -> AfterLine {
    analysis(horizon, 0).after_line(&line(moves), limit, &Limits::default()).unwrap()
}

/// The test of a move after a line; `next` may be `stop`.
fn tested(horizon: u32, moves: &str, next: &str) -> Variation {
    let wanted = (next != "stop").then(|| step(next));
    let found = after_line(horizon, moves, 0).tested.into_iter().find(|variation| variation.step == wanted);
    found.unwrap_or_else(|| panic!("{next} is not sensible after {moves}"))
}

/// The verdict on the last move of a line.
fn verdict_after(moves: &str, limit: u64) -> LineVerdict {
    after_line(3, moves, limit).verdict
}

fn names(analysis: &Analysis) -> Vec<String> {
    let mut names: Vec<String> = analysis.moves.iter().map(|first| first.step.to_string()).collect();
    names.sort();
    names
}

fn first<'a>(analysis: &'a Analysis, name: &str) -> &'a FirstMove {
    analysis.moves.iter().find(|first| first.step.to_string() == name).unwrap()
}

fn verdict(analysis: &Analysis, name: &str) -> LineVerdict {
    first(analysis, name).verdict
}

// Black's checks that end the main line, in two forms.
const TO_E7: &str = "b2a3 e7a3 g3h5 g6h5 e5g5 g7f8 g5f6 f8g8 e6e7";
const CHECKS: &str = "a3c1 g1f2 c1c2 f2g3 c2d3 g3h4 d3e4 h4h5 e4e2 h5h4 e2e4 g2g4 e4e1 h4h5";
const OTHER_CHECKS: &str = "a3c1 g1f2 c1d2 f2g3 d2e3 g3h4 e3e1 h4h5 e1e2 h5h4 e2e4 g2g4 e4e1 h4h5";

/// With a horizon of one half-move everything favours Black; with two, the move is rejected at once.
#[test]
fn near_horizons_win_nothing() {
    for (horizon, wanted) in [(1, LineVerdict::Loses), (2, LineVerdict::Fails)] {
        let near = analysis(horizon, 1000);
        assert_eq!(names(&near), ["e5d5", "e5f6"]);
        assert_eq!(near.outcome, Recommendation::NoVerdict(Reason::AllRejected));
        assert!(near.moves.iter().all(|first| first.verdict == wanted), "horizon {horizon}");
    }
}

#[test]
fn three_half_moves_choose_bishop_a3_and_reject_the_rest() {
    let mut expected: Vec<&str> = chess_reference::FIG_22_FIRST_MOVES.to_vec();
    expected.extend(["e5e2", "e5e4"]);
    expected.sort_unstable();
    assert_eq!(names(&THREE), expected);
    assert_eq!(THREE.outcome, Recommendation::Chosen(step("b2a3")));
    for name in expected {
        let wanted = match name {
            "b2a3" => LineVerdict::Wins,
            "e5e2" => LineVerdict::Even,
            "e5d5" | "e5e4" | "e5f5" | "e5h5" => LineVerdict::Fails,
            _ => LineVerdict::Loses,
        };
        assert_eq!(verdict(&THREE, name), wanted, "{name}");
    }
    // The earliest rules of this program took 70,630.
    assert_eq!(THREE.positions, 9254);
    let by_move = ["b2a3", "e5e2", "g3e4", "g3f5", "g3h5"].map(|name| first(&THREE, name).positions);
    assert_eq!(by_move, [2733, 511, 750, 1647, 3443]);
    assert_eq!((first(&THREE, "g3h5").links(), first(&THREE, "g3h5").looked_into().count()), (339, 3443));
}

/// Every half-move of the book's main line and its branches is sensible and satisfies the inequality of the side that
/// plays it.
#[test]
fn the_main_line_is_in_the_tree() {
    let starts = [TO_E7.to_owned(), TO_E7.replace("g7f8", "g7h8").replace("f8g8", "h8g8")];
    let lines = starts.iter().flat_map(|start| [CHECKS, OTHER_CHECKS].map(|rest| format!("{start} {rest}")));
    let mate = "b2a3 e7a3 g3h5 g6h5 e5g5 g7f8 g5f6 f8e8 f6f7".to_owned();
    // 5...Kd8 is rejected because it allows 6.Qd7 mate.
    let last = tested(3, &mate, "e8d8").test;
    assert_eq!((last.threatened, last.holds), (200, false));
    let queen_b7 = "b2a3 e7b7 g3h5 g6h5 e5g5 g7h8 g5f6 b7g7 f6d8 g7g8 e6e7".to_owned();
    for text in lines.chain([mate, queen_b7]) {
        let moves: Vec<&str> = text.split_whitespace().collect();
        for (played, next) in moves.iter().enumerate() {
            let variation = tested(3, &moves[..played].join(" "), next);
            assert!(variation.test.holds, "{} then {next}: {:?}", moves[..played].join(" "), variation.test);
        }
    }
}

/// Every white move in the book's main line wins, judged from the position it leads to, up to the last one, after which
/// "Black's checks end".
#[test]
fn every_move_of_white_in_the_main_line_wins() {
    let moves: Vec<String> = format!("{TO_E7} {CHECKS}").split(' ').map(str::to_owned).collect();
    for played in (1..=moves.len()).step_by(2) {
        let verdict = verdict_after(&moves[..played].join(" "), 20_000);
        assert_eq!(verdict, LineVerdict::Wins, "half-move {played}");
    }
}

/// The effect of each point of the interpretation: the verdict on 1.Ba3 without it.
#[test]
fn what_each_point_is_needed_for() {
    let chosen = Interpretation::default();
    let readings = [
        Interpretation { hope: Hope::Strict, ..chosen },
        Interpretation { stop: StopWorth::Material, ..chosen },
        Interpretation { hope: Hope::Strict, stop: StopWorth::Material, ..chosen },
        Interpretation { gamma: Gamma::Falls, ..chosen },
        Interpretation { gamma: Gamma::FallsOrOpen, ..chosen },
        Interpretation { gamma: Gamma::FallsInAll, ..chosen },
        Interpretation { own_pieces: OwnPieces::Closed, ..chosen },
    ];
    let found = readings.map(|reading| {
        let mut analysis = analyse_by(reading, &fig_22(), 3, Effort::of(0), &Limits::default()).unwrap();
        let first = analysis.moves.iter().find(|first| first.step == step("b2a3")).unwrap().verdict;
        match first {
            LineVerdict::Fails => LineVerdict::Fails,
            _ => analysis.after_line(&line("b2a3"), 50_000, &Limits::default()).unwrap().verdict,
        }
    });
    let wins = LineVerdict::Wins;
    assert_eq!(found, [wins, wins, wins, LineVerdict::Loses, wins, wins, wins]);
}

/// The cost of the two rules that are ours: when a position that occurs twice is recognised, and how far hope reaches.
#[test]
fn positions_by_other_readings() {
    let chosen = Interpretation::default();
    let counted = |reading| {
        let found = analyse_by(reading, &fig_22(), 3, Effort::of(u64::MAX), &Limits::default()).unwrap();
        assert_eq!(found.outcome, Recommendation::Chosen(step("b2a3")));
        found.positions
    };
    assert_eq!(counted(Interpretation { recognition: Recognition::WhenReached, ..chosen }), 8582);
    assert_eq!(counted(Interpretation { hope: Hope::Strict, ..chosen }), 2892);
}

/// A line's last move is reported as in the position before it: the queen d6 fails there, and does not lose later.
#[test]
fn a_move_that_fails_at_once_is_not_said_to_lose() {
    let moves = "b2a3 e7a3";
    assert_eq!(tested(3, moves, "e5d6").verdict, LineVerdict::Fails);
    assert_eq!(verdict_after(&format!("{moves} e5d6"), 20_000), LineVerdict::Fails);
}

/// The limit on memory ends the analysis as its other limits do, at the same place every time.
#[test]
fn a_full_tree_gives_no_verdict() {
    let of = |kept| {
        let effort = Effort { kept, ..Effort::of(u64::MAX) };
        let found = analyse(&fig_22(), 3, effort, &Limits::default()).unwrap();
        (found.outcome, found.tree_size(), found.moves.iter().map(|first| first.positions).collect::<Vec<_>>())
    };
    let (outcome, size, positions) = of(2_000);
    assert_eq!(outcome, Recommendation::NoVerdict(Reason::TreeLimit));
    // The last position of each first move may lead to some more.
    assert!((1_500..2_500).contains(&size), "{size}");
    assert_eq!(of(2_000), (outcome, size, positions));
    assert_eq!(of(0).0, Recommendation::NoVerdict(Reason::TreeLimit));
    assert_eq!(of(usize::MAX).0, Recommendation::Chosen(step("b2a3")));
}

#[test]
fn the_limit_gives_no_verdict() {
    let cut_off = analysis(3, 200);
    assert_eq!(cut_off.outcome, Recommendation::NoVerdict(Reason::PositionLimit));
    assert!(!cut_off.is_complete());
    assert!(cut_off.positions <= 200);
    assert!(cut_off.moves.iter().all(|first| first.verdict != LineVerdict::Wins));
}

#[test]
fn a_quiet_board_offers_nothing() {
    let bare = Placement::from_fen("8/8/4k3/8/8/3K4/8/8 w - - 0 1").unwrap();
    let analysis = analyse(&bare, 3, Effort::of(100), &Limits::default()).unwrap();
    assert_eq!(analysis.outcome, Recommendation::NoVerdict(Reason::NothingSensible));
}

/// The result does not depend on the number of threads.
#[test]
fn threads_change_nothing() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let told = pool.install(|| analysis(3, 3000));
        let moves = told.moves.iter().map(|first| (first.step, first.verdict, first.positions));
        (moves.collect::<Vec<_>>(), told.outcome, told.tree_size())
    };
    let alone = with(1);
    assert_eq!(alone, with(2));
    assert_eq!(alone, with(5));
}

/// Depth first comes to the same verdicts where it comes to any, in other numbers of positions: it knows no position again.
#[test]
fn depth_first_finds_the_same() {
    let (mut same, mut settled) = (0, 0);
    for book in book_positions() {
        let position = Placement::from_fen(book.fen).unwrap();
        for horizon in [1, 2] {
            let reading = Interpretation::default();
            let found = depth_first(reading, &position, horizon, 60, 3_000, &Limits::default()).unwrap();
            let known = analyse(&position, horizon, Effort::of(100_000), &Limits::default()).unwrap();
            for (first, known) in found.iter().zip(&known.moves) {
                assert_eq!(first.step, known.step);
                let is_settled = |verdict: LineVerdict| !matches!(verdict, LineVerdict::Open | LineVerdict::NoWin);
                if is_settled(first.verdict) && is_settled(known.verdict) {
                    settled += 1;
                    same += usize::from(first.verdict == known.verdict);
                }
            }
        }
    }
    assert_eq!((same, settled), (295, 295));
}

/// Lines that are cut short win nothing: with four half-moves behind the first no move of Fig. 22 wins.
#[test]
fn depth_first_within_four_half_moves() {
    let found = depth_first(Interpretation::default(), &fig_22(), 3, 4, 10_000, &Limits::default()).unwrap();
    assert_eq!(found.iter().map(|first| first.positions).sum::<u64>(), 536);
    assert!(found.iter().all(|first| first.deepest <= 4 && first.verdict != LineVerdict::Wins));
    let lost = found.iter().filter(|first| first.verdict == LineVerdict::Loses);
    assert_eq!(lost.map(|first| first.step.to_string()).collect::<Vec<_>>(), ["e5b8", "e5c7", "e5d6", "e5f6"]);
}
