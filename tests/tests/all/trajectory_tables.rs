//! The tables inside the machine program for trajectories, and their behaviour when they are short.

use chess_reference::code_tables::Stamp;
use chess_reference::{Task, shortest_trajectories};
use m220_asm::Image;
use m220_chess::trajectories::PieceTask;
use m220_chess::{ChessProgram, MachineProgram, Settings, TrajectoryProgram, Verdict};
use m220_isa::{CoreAddress, Word};
use m220_machine::Model;
use m220_tests::planted::compare_task;
use shakmaty::{Board, Color, Role, Square};

fn image() -> Image {
    TrajectoryProgram::built_in().unwrap().program().image().clone()
}

fn cell(image: &Image, name: &str, offset: usize) -> CoreAddress {
    CoreAddress::from_index(image.cell(name).unwrap().index() + offset).unwrap()
}

fn settings() -> Settings {
    Settings::new(Model::M220, 1_000_000)
}

/// Each kind's two digits hold its number of moves in strokes: 77 for 1, 76 for 2, 74, 70, 60, 40, and 00 for more and for
/// never. The tables of the book are the rule; for pawns the machine has one table of lower bounds.
#[test]
fn the_code_tables_follow_their_rules() {
    let image = image();
    let strokes = |number: Option<u32>| match number {
        Some(number @ 1..=6) => 0o77u64 << (number - 1) & 0o77,
        _ => 0,
    };
    let kinds = [(Stamp::King, 5), (Stamp::Queen, 4), (Stamp::Rook, 3), (Stamp::Bishop, 2), (Stamp::Knight, 1)];
    for dx in -7..=7_i32 {
        for dy in -7..=7_i32 {
            let at = cell(&image, "stamp_corner", (16 * (dx + 7) + dy + 7) as usize);
            let word = image.words[&at].bits();
            for (stamp, place) in kinds {
                let rule = stamp.table().number(dx, dy).filter(|&number| number > 0);
                assert_eq!(word >> (6 * place) & 0o77, strokes(rule), "{stamp:?} {dx} files, {dy} ranks");
            }
            // A capture is needed for every file; one step of two ranks saves a move where there is room for one.
            let (files, ranks) = (dx.unsigned_abs(), dy.unsigned_abs());
            let pawn = (ranks > 0 && files <= ranks).then(|| ranks - u32::from(ranks - files >= 2));
            assert_eq!(word & 0o77, strokes(pawn), "pawn {dx} files, {dy} ranks");
            // Seven moves may reach every square but the one they begin on.
            assert_eq!(word >> 36, u64::from((dx, dy) != (0, 0)), "{dx} files, {dy} ranks");
        }
    }
}

/// Lists longer than the generated code are joined in rounds: with room for one addition, or for two, at a time the
/// results are those with room for all.
#[test]
fn a_short_joiner_joins_in_rounds() {
    let tasks = [
        (Board::empty(), Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 }),
        (Board::empty(), Task { piece: Role::Knight.of(Color::Black), from: Square::A1, to: Square::H8 }),
        (
            Board::from_ascii_board_fen(b"1n3n2/1N6/pp3PPp/n2B2p1/4p2p/N1b4p/8/1n3N2").unwrap(),
            Task { piece: Role::Rook.of(Color::White), from: Square::A1, to: Square::H8 },
        ),
    ];
    for room in [1u64, 2] {
        let mut image = image();
        let at = cell(&image, "joiner_most", 0);
        assert_ne!(image.words.insert(at, Word::new(room << 12).unwrap()), None);
        let program = TrajectoryProgram::new(MachineProgram::from_image("trajectories", image).unwrap()).unwrap();
        for (board, task) in &tasks {
            let expected = shortest_trajectories(board, task, Some(7)).unwrap();
            assert!(expected.list.len() > 2, "{task:?}");
            let compared = compare_task(&program, PieceTask { board, task, max_moves: 7 }, &settings()).unwrap();
            assert!(matches!(compared.verdict, Verdict::Equal), "{room}: {task:?}: {:?}", compared.verdict);
        }
    }
}

/// A pool that ends sooner gives a refusal, not a wrong list.
#[test]
fn every_shorter_chain_is_right_or_refused() {
    let task = Task { piece: Role::Knight.of(Color::White), from: Square::B2, to: Square::A1 };
    let (mut equal, mut refused) = (0, 0);
    for records in 0..32u64 {
        let mut image = image();
        let first = image.cell("chain").unwrap().index() as u64;
        let at = cell(&image, "link_last", 0);
        assert_ne!(image.words.insert(at, Word::new(0o7777 << 24 | (first + 2 * records)).unwrap()), None);
        let program = TrajectoryProgram::new(MachineProgram::from_image("trajectories", image).unwrap()).unwrap();
        match compare_task(&program, PieceTask { board: &Board::empty(), task: &task, max_moves: 7 }, &settings())
            .unwrap()
            .verdict
        {
            Verdict::Equal => equal += 1,
            Verdict::NoVerdict(_) => refused += 1,
            different => panic!("{records} records: {different:?}"),
        }
    }
    assert!(equal > 0 && refused > 0, "{equal} equal, {refused} refused");
}
