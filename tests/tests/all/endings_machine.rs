//! The machine program for small endings: every count and single positions against the native classes, its layers on
//! the drum, its result codes, and faults planted in it.

use chess_reference::Placement;
use chess_reference::endings::{Classes, EndingPosition, Material};
use m220_chess::endings::ON_THE_MACHINE;
use m220_chess::{ChessProgram, DeviceRun, EndingProgram, Layers, NoAnswer, Settings, Verdict};
use m220_compare::endings::case;
use m220_isa::{Model, Word};
use m220_limits::Limits;
use m220_machine::devices::Devices;
use m220_machine::devices::drum::Drum;
use m220_tests::planted;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Far more than any question here takes.
const MOST_INSTRUCTIONS: u64 = 20_000_000;

static NATIVE: LazyLock<BTreeMap<Material, Classes>> =
    LazyLock::new(|| ON_THE_MACHINE.into_iter().map(|ending| (ending, Classes::of(ending))).collect());

/// The layers of the queen and the rook, written by the machine.
static LAYERS: LazyLock<Layers> = LazyLock::new(|| {
    let mut layers = Layers::blank();
    let runs = program().complete(&mut layers, &settings(), &mut |_, _, _| {}).unwrap();
    assert_eq!(runs.len(), 2);
    layers
});

fn settings() -> Settings {
    EndingProgram::BUILT_IN.settings(Model::M220, &Limits::default().with_instructions(MOST_INSTRUCTIONS))
}

fn program() -> EndingProgram {
    EndingProgram::built_in().unwrap_or_else(|error| panic!("{error}"))
}

fn compare_table(program: &EndingProgram, ending: Material) -> Verdict {
    let mut layers = LAYERS.clone();
    let layers = Some(&mut layers).filter(|_| ending.has_pawn());
    program.compare_table(&NATIVE[&ending], layers, &settings(), &mut |_, _, _| {}).unwrap().verdict
}

fn compare_answer(program: &EndingProgram, position: &EndingPosition) -> Verdict {
    let native = &NATIVE[&position.ending()];
    program.compare_answer(native, position, &LAYERS, &settings(), &mut |_, _, _| {}).unwrap().verdict
}

#[test]
fn every_count_of_every_ending_is_the_native_one() {
    for ending in ON_THE_MACHINE {
        assert_eq!(compare_table(&program(), ending), Verdict::Equal, "{ending}");
    }
}

#[test]
fn the_budget_is_kept() {
    // Instructions are counted, not timed: a change of the program that costs a tenth more must be noticed.
    for (ending, most) in [(Material::Kqk, 2_750_000), (Material::Krk, 3_020_000), (Material::Kpk, 2_610_000)] {
        let mut layers = LAYERS.clone();
        let layers = Some(&mut layers).filter(|_| ending.has_pawn());
        let run = program().table(ending, layers, &settings(), &mut |_, _, _| {}).unwrap();
        assert!(run.report.clock.instructions < most, "{ending}: {}", run.report.clock.instructions);
    }
}

#[test]
fn the_rounds_are_told_one_by_one() {
    let mut told = Vec::new();
    let mut watch = |ending: Material, class: u64, positions: u64| told.push((ending, class, positions));
    program().table(Material::Krk, None, &settings(), &mut watch).unwrap();
    assert_eq!(told.len(), 17);
    assert_eq!(told[..3], [(Material::Krk, 0, 216), (Material::Krk, 2, 2_352), (Material::Krk, 4, 8_976)]);
}

#[test]
fn single_positions_are_judged_alike() {
    let lines = include_str!("../../../crates/chess-reference/data/ending-positions.tsv").lines();
    let fens: Vec<&str> =
        lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next()).collect();
    assert!(fens.len() >= 19);
    for fen in fens {
        let position = EndingPosition::new(&Placement::from_fen(fen).unwrap()).unwrap();
        assert_eq!(compare_answer(&program(), &position), Verdict::Equal, "{fen}");
    }
}

#[test]
fn random_positions_are_judged_alike() {
    for number in 0..150 {
        let position = case(1, number);
        assert_eq!(compare_answer(&program(), &position), Verdict::Equal, "{}", position.position().to_fen());
    }
}

#[test]
fn planted_faults_are_found() {
    for (sound, faulty, ending) in [
        // A king's step from rank 5 to rank 4 goes astray.
        ("SHA     0133, row1, a  ", "SHA     0132, row1, a  ", Material::Krk),
        // White's king does not come from beyond the fold.
        ("reflect: AND    edges, beyond", "reflect: AND    edges, 0", Material::Kqk),
        // Stalemates count as lost.
        ("        XOR     a, p0, d0  ", "        OR      a, p0, d0  ", Material::Kqk),
        // The double step is forgotten.
        ("        AND     kept_d, 7000[RA], t", "        AND     0, 7000[RA], t", Material::Kpk),
        // The pawn never becomes a rook.
        (
            "white:  CUBE    1700, 2222\n        OR      rook_here, 0",
            "white:  CUBE    1700, 2222\n        OR      0, 0",
            Material::Kpk,
        ),
    ] {
        let faulty: EndingProgram = planted::program_with(sound, faulty);
        assert!(matches!(compare_table(&faulty, ending), Verdict::Different(_)), "{sound}");
    }
}

#[test]
fn planted_faults_in_best_moves_are_found() {
    let faulty: EndingProgram =
        planted::program_with(".piece: MOV     one, 0, test.piece", ".piece: MOV     0, 0, test.piece");
    let position = EndingPosition::new(&Placement::from_fen("8/8/8/8/8/2k5/1R6/K7 w").unwrap()).unwrap();
    assert!(matches!(compare_answer(&faulty, &position), Verdict::Different(_)));
}

/// Runs the program with these inputs, and with a drum if there is one; returns the result code.
fn result(inputs: &[(&str, u32)], drum: Option<Drum>) -> u64 {
    let program = program();
    let mut devices = Devices::new(Model::M220);
    if let Some(drum) = drum {
        devices.fit_drum(0, drum).unwrap();
    }
    let mut run = DeviceRun::with_devices(program.program(), settings().config, devices).unwrap();
    for &(name, number) in inputs {
        run.put_number(program.program().cell(name).unwrap(), number).unwrap();
    }
    run.run(&Limits::default().with_instructions(MOST_INSTRUCTIONS));
    run.number(program.program().cell("result").unwrap())
}

fn asked(piece: u32, side: u32, [king, square, black]: [u32; 3]) -> u64 {
    let squares = [("asked_king", king), ("asked_man", square), ("asked_black", black)];
    result(&[&[("man", piece), ("asked", side), ("hurry", 1)][..], &squares].concat(), None)
}

#[test]
fn what_is_not_a_question_is_refused() {
    assert_eq!(result(&[("man", 0)], None), 5);
    assert_eq!(result(&[("man", 6)], None), 5);
    assert_eq!(result(&[("man", 1)], None), 5, "a pawn without a drum");
    assert_eq!(asked(4, 1, [1, 10, 19]), 1, "Ka1 Rb2 kc3");
    for squares in [[0, 10, 19], [1, 65, 19], [1, 10, 10], [1, 1, 19], [1, 18, 10]] {
        assert_eq!(asked(4, 1, squares), 5, "{squares:?}, White to move");
        assert_eq!(asked(4, 2, squares), 5, "{squares:?}, Black to move");
    }
    assert_eq!(asked(4, 1, [1, 10, 26]), 5, "Black in check with White to move: kb4");
    assert_eq!(asked(4, 2, [1, 10, 26]), 1, "with Black to move it is a position");
    assert_eq!(asked(4, 3, [1, 10, 19]), 5, "a third side");
}

#[test]
fn a_drum_of_something_else_is_refused_by_the_machine_too() {
    let mut wrong = LAYERS.drum().clone();
    let label = wrong.read(0o34034).unwrap();
    wrong.write(0o34034, Word::truncating(label.bits() ^ 1));
    assert_eq!(result(&[("man", 1), ("drum", 1)], Some(wrong)), 2);
    let mut wrong = LAYERS.drum().clone();
    let word = wrong.read(5).unwrap();
    wrong.write(5, Word::truncating(word.bits() ^ 1));
    assert_eq!(result(&[("man", 1), ("drum", 1)], Some(wrong)), 2);
    assert_eq!(result(&[("man", 1), ("drum", 1)], Some(LAYERS.drum().clone())), 1);
}

#[test]
fn layers_are_kept_and_read_back() {
    let bytes = LAYERS.drum().to_bytes();
    let again = Layers::new(&program(), Drum::from_bytes(Model::M220, &bytes).unwrap()).unwrap();
    assert_eq!(again, *LAYERS);
    assert!(again.hold(Material::Kqk) && again.hold(Material::Krk) && !again.hold(Material::Kpk));
    assert_eq!(Layers::new(&program(), Drum::blank(Model::M220)).unwrap(), Layers::blank());
    // In either order; one alone is kept.
    let mut rook_first = Layers::blank();
    program().table(Material::Krk, Some(&mut rook_first), &settings(), &mut |_, _, _| {}).unwrap();
    assert!(rook_first.hold(Material::Krk) && !rook_first.hold(Material::Kqk));
    let runs = program().complete(&mut rook_first, &settings(), &mut |_, _, _| {}).unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!(rook_first, *LAYERS);
}

#[test]
fn a_machine_that_is_too_small_is_told_so() {
    let config = m220_machine::Config { cubes: 2, ..settings().config };
    let small = Settings { config, ..settings() };
    let run = program().table(Material::Krk, None, &small, &mut |_, _, _| {}).unwrap();
    assert!(matches!(run.outcome, Err(NoAnswer::Fault(_))), "{:?}", run.outcome);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_wrong_bit_in_a_layer_or_label_is_found(address in 0usize..0o34042, bit in 0u32..45) {
        let mut wrong = LAYERS.drum().clone();
        if let Some(word) = wrong.read(address) {
            wrong.write(address, Word::truncating(word.bits() ^ 1 << bit));
            let is_label = address == 0o34034 || address == 0o34037;
            match Layers::new(&program(), wrong) {
                // Without its label an ending is not on the drum; the other one still is.
                Ok(layers) => prop_assert!(is_label && layers != *LAYERS),
                Err(error) => prop_assert!(error.to_string().contains("sum"), "{error}"),
            }
        }
    }
}
