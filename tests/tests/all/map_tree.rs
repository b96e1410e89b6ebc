//! TREE, the part of the experiment that grows the tree of sensible moves: on a game without chess (the cases of
//! `tests/map-tree`, and faults planted in it), and on the position of Fig. 22.

use chess_reference::Placement;
use chess_reference::map::{Effort, Hope, Interpretation, LineVerdict, analyse_by};
use m220_asm::{Image, Texts, assemble, elf};
use m220_isa::{CoreAddress, Model, Word};
use m220_limits::Limits;
use m220_machine::devices::Devices;
use m220_machine::devices::drum::Drum;
use m220_machine::devices::roll::Roll;
use m220_machine::{Config, Machine, StopReason};
use shakmaty::Square;

const GAME: &str = include_str!("../../map-tree/game.m220");
const TREE: &str = include_str!("../../../m220-programs/map_tree.m220");
const CASES: &str = include_str!("../../map-tree/cases.txt");

/// Far more than any case takes.
const MOST_INSTRUCTIONS: u64 = 40_000_000;

/// One game: its input, and the expected line of each first move.
struct Case {
    /// Seed, squares of a file, the two lots, side to move, share.
    numbers: [u64; 6],
    ranks: Vec<u16>,
    firsts: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(game) = line.strip_prefix("game ") else {
            cases.last_mut().expect("a game before its first moves").firsts.push(line.to_owned());
            continue;
        };
        let fields: Vec<&str> = game.split(' ').collect();
        let numbers = [0, 1, 2, 3, 4, 5].map(|at| u64::from_str_radix(fields[at], 8).expect("an octal number"));
        let ranks = fields[6].bytes().map(|digit| u16::from(digit - b'0')).collect();
        cases.push(Case { numbers, ranks, firsts: Vec::new() });
    }
    assert!(cases.iter().all(|case| !case.firsts.is_empty()) && cases.len() >= 5);
    cases
}

fn program(tree: &str) -> Image {
    let texts = [("game.m220", GAME), ("map_tree.m220", tree)];
    assemble("game.m220", &Texts(&texts), Model::M220).unwrap_or_else(|error| panic!("{}", error.render(false))).image
}

/// A machine with the program and a game in core, ready to run, and its printer's paper.
fn machine(image: &Image, case: &Case) -> (Machine<Devices>, Roll) {
    let (mut machine, paper) = loaded(image);
    let [seed, squares, thin, dense, turn, share] = case.numbers;
    let input = [("seed", seed), ("ranks", squares << 12), ("thin", thin), ("dense", dense), ("turn", turn)];
    for (name, value) in input.into_iter().chain([("share", share)]) {
        machine.set_core(image.cell(name).unwrap(), Word::truncating(value)).unwrap();
    }
    let mail = image.cell("mail").unwrap();
    for (file, &rank) in (0..).zip(&case.ranks) {
        // Knight, bishop, rook, queen of either side, as in mail.
        let man = (1 + u64::from(file / 4)) << 24 | (0o2002 + u64::from(file % 4)) << 12;
        machine.set_core(after(mail, 16 * file + rank), Word::truncating(man)).unwrap();
    }
    (machine, paper)
}

/// A machine with a blank drum, a printer and the program, started.
fn loaded(image: &Image) -> (Machine<Devices>, Roll) {
    let mut devices = Devices::new(Model::M220);
    devices.fit_drum(0, Drum::blank(Model::M220)).unwrap();
    let paper = Roll::default();
    devices.fit_printer(Box::new(paper.clone()), false);
    let mut machine = Machine::with_periphery(Config::new(Model::M220), devices);
    for (&cell, &word) in &image.words {
        machine.set_core(cell, word).unwrap();
    }
    machine.start(image.entry.expect("a start cell"));
    (machine, paper)
}

fn after(cell: CoreAddress, cells: u16) -> CoreAddress {
    CoreAddress::new(cell.cube(), cell.cell().offset(cells))
}

/// The lines of the first moves that the machine left in core.
fn firsts(image: &Image, machine: &Machine<Devices>) -> Vec<String> {
    let word = |table: &str, at: u16| machine.core(after(image.cell(table).unwrap(), at)).unwrap().grouped();
    (0..64)
        .map(|at| (word("firsts", at), word("order_sums", at)))
        .take_while(|(first, _)| first != "0 00 0000 0000 0000")
        .map(|(first, sum)| format!("{} {}", &first[5..], sum[5..].replace(' ', "")))
        .collect()
}

/// Whether the program halts within the limit with the case's lines in core.
fn agrees(image: &Image, case: &Case) -> bool {
    let (mut machine, _) = machine(image, case);
    machine.run(MOST_INSTRUCTIONS).reason == StopReason::Halt && firsts(image, &machine) == case.firsts
}

#[test]
fn every_tree_grows_position_by_position_as_the_model_s() {
    let image = program(TREE);
    for case in cases() {
        let (mut machine, _) = machine(&image, &case);
        assert_eq!(machine.run(MOST_INSTRUCTIONS).reason, StopReason::Halt);
        assert_eq!(firsts(&image, &machine), case.firsts);
    }
}

#[test]
fn a_stopped_machine_goes_on_where_it_was() {
    let image = program(TREE);
    let case = &cases()[1];
    let (mut machine, _) = machine(&image, case);
    while machine.run(10_007).reason == StopReason::InstructionLimit {}
    assert_eq!(firsts(&image, &machine), case.firsts);
    // And it may be started again without loading.
    machine.start(image.entry.expect("a start cell"));
    assert_eq!(machine.run(MOST_INSTRUCTIONS).reason, StopReason::Halt);
    assert_eq!(firsts(&image, &machine), case.firsts);
}

#[test]
fn each_verdict_is_printed() {
    let image = program(TREE);
    let (mut machine, paper) = machine(&image, &cases()[0]);
    machine.run(MOST_INSTRUCTIONS);
    let printed = paper.text();
    let lines: Vec<&str> = printed.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let expected = [
        "ХОД   ИСХОД       ПОЛОЖ.",
        "А3-А8 НЕ РЕШЕНО      100",
        "В2-В1 НЕ ВЫИГРАТЬ    100",
        "В2-В4 БЕЗ НАДЕЖД",
        "С3-С1 БЕЗ НАДЕЖД",
        "С3-С4 БЕЗ НАДЕЖД",
        "С3-С5 НЕ РЕШЕНО      100",
        "D1-D4 НЕ РЕШЕНО      100",
        "D1-D6 БЕЗ НАДЕЖД",
        "ВСЕГО                400",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn planted_faults_are_found() {
    let faults = [
        // The choice of the leaf.
        ("SUBA    child, best_key             ; Omega = 1: less", "SUBA    best_key, child"),
        // The numbers: how many open moves; a move back into the path.
        ("ADDA    open, unit, open", "MOV     unit, 0, open"),
        ("MOV     q_odd, 0, repeated", "MOV     q_even, 0, repeated"),
        // The answers: after a link; of a record that is not in core.
        ("MOV     parent, 0, asked", "MOV     record, 0, asked"),
        ("FETD    asked, proofs, word\n        MOV     fetch_at", "MOV     fetch_at"),
        // Repetitions: links where all moves are needed, and where one is.
        ("AND     every, on_path", "AND     some, on_path"),
        ("        AND     some, on_path", "        AND     unit, on_path"),
        // Forgetting the numbers of leaves.
        ("SUBA    branches[RA], y, branches[RA]", "MOV     0, 0, x"),
        // The drum: records over two numbers; three moves a word.
        (".limits: fields 0, 0, 15d", ".limits: fields 0, 0, 16d"),
        ("JLW     limit, .next, 3[RA]", "JLW     limit, .next, 4[RA]"),
        // The slices.
        ("SHA     101, slice, slice", "SHA     102, slice, slice"),
    ];
    let cases = cases();
    for (sound, faulty) in faults {
        assert_eq!(TREE.matches(sound).count(), 1, "`{sound}`");
        let image = program(&TREE.replace(sound, faulty));
        assert!(!cases[..4].iter().all(|case| agrees(&image, case)), "`{faulty}` is not noticed");
    }
}

/// The position of Fig. 22, White to move.
const FIG_22: &str = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1";

/// The expected line of each first move with the strict horizon of hope, and with the full one.
const STRICT: [&str; 16] = [
    "ХОД   ИСХОД       ПОЛОЖ.",
    "В2-А3 ВЫИГРЫВАЕТ    1729",
    "Е5-В8 ПРОИГРЫВАЕТ      1",
    "Е5-С7 ПРОИГРЫВАЕТ      8",
    "Е5-D6 ПРОИГРЫВАЕТ     12",
    "Е5-D5 БЕЗ НАДЕЖД",
    "Е5-Е2 РАВНО          195",
    "Е5-F6 ПРОИГРЫВАЕТ     32",
    "Е5-Е4 БЕЗ НАДЕЖД",
    "Е5-F5 БЕЗ НАДЕЖД",
    "Е5-G5 ПРОИГРЫВАЕТ     89",
    "Е5-Н5 БЕЗ НАДЕЖД",
    "G3-F5 ПРОИГРЫВАЕТ    309",
    "G3-Е4 БЕЗ НАДЕЖД",
    "G3-Н5 ПРОИГРЫВАЕТ    517",
    "ВСЕГО               2892",
];
const FULL: [&str; 16] = [
    "ХОД   ИСХОД       ПОЛОЖ.",
    "В2-А3 ВЫИГРЫВАЕТ    2733",
    "Е5-В8 ПРОИГРЫВАЕТ      1",
    "Е5-С7 ПРОИГРЫВАЕТ      8",
    "Е5-D6 ПРОИГРЫВАЕТ     12",
    "Е5-D5 БЕЗ НАДЕЖД",
    "Е5-Е2 РАВНО          511",
    "Е5-F6 ПРОИГРЫВАЕТ     44",
    "Е5-Е4 БЕЗ НАДЕЖД",
    "Е5-F5 БЕЗ НАДЕЖД",
    "Е5-G5 ПРОИГРЫВАЕТ    105",
    "Е5-Н5 БЕЗ НАДЕЖД",
    "G3-F5 ПРОИГРЫВАЕТ   1647",
    "G3-Е4 ПРОИГРЫВАЕТ    750",
    "G3-Н5 ПРОИГРЫВАЕТ   3443",
    "ВСЕГО               9254",
];

#[test]
fn the_machine_finds_bishop_a3() {
    experiment(Hope::Strict, &STRICT, 191, 250_000_000);
}

#[test]
fn the_machine_finds_bishop_a3_with_the_full_horizon() {
    experiment(Hope::default(), &FULL, 339, 2_000_000_000);
}

/// Runs the program on the position of Fig. 22: it prints `expected`, and the native analysis looks into the same
/// positions in the same order for each first move.
fn experiment(hope: Hope, expected: &[&str], links: u64, most_instructions: u64) {
    let image = elf::load(m220_programs::image("experiment").unwrap(), 4).unwrap();
    let (mut machine, paper) = loaded(&image);
    let set = |machine: &mut Machine<Devices>, name: &str, at: u16, value: u64| {
        machine.set_core(after(image.cell(name).unwrap(), at), Word::truncating(value)).unwrap();
    };
    let reading = u64::from(hope == Hope::Strict);
    for (name, value) in [("turn", 1), ("horizon", 3), ("reading", reading), ("share", 3600)] {
        set(&mut machine, name, 0, value);
    }
    for (rank, row) in FIG_22.split('/').rev().enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as u16;
                continue;
            }
            let kind = "pnbrqk".find(letter.to_ascii_lowercase()).expect("a piece") as u64 + 1;
            let colour = if letter.is_ascii_uppercase() { 1 } else { 2 };
            set(&mut machine, "board", 8 * file + rank as u16, colour << 24 | kind << 12);
            file += 1;
        }
    }
    assert_eq!(machine.run(most_instructions).reason, StopReason::Halt);
    let printed = paper.text();
    let lines: Vec<&str> = printed.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, expected);
    let low = |word: Word| word.bits() & ((1 << 36) - 1);
    assert_eq!(low(machine.core(image.cell("links_used").unwrap()).unwrap()), links);

    let position = Placement::from_fen(&format!("{FIG_22} w - - 0 30")).unwrap();
    let interpretation = Interpretation { hope, ..Interpretation::default() };
    let native = analyse_by(interpretation, &position, 3, Effort::of(200_000), &Limits::default()).unwrap();
    let machines = (0..native.moves.len() as u16).map(|at| {
        let [first, sum] =
            ["firsts", "order_sums"].map(|table| low(machine.core(after(image.cell(table).unwrap(), at)).unwrap()));
        (first >> 24, first >> 12 & 0o77, first & 0o7777, sum)
    });
    let natives = native.moves.iter().map(|first| {
        let square = |square: Square| u64::from(square.file() as u8 * 8 + square.rank() as u8);
        let verdict = match first.verdict {
            LineVerdict::Fails => 1,
            LineVerdict::Wins => 2,
            LineVerdict::Loses => 3,
            LineVerdict::Even => 4,
            LineVerdict::NoWin => 5,
            LineVerdict::NoLoss => 6,
            LineVerdict::Open => 7,
        };
        (square(first.step.from) << 6 | square(first.step.to), verdict, first.positions, first.order_sum())
    });
    assert_eq!(machines.collect::<Vec<_>>(), natives.collect::<Vec<_>>());
}
