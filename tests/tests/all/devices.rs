//! Programs with devices, as the processor sees them: the examples printed in 1974, decks that load
//! themselves, drums with good and damaged sums, a page of each kind.

use m220_isa::card_deck::CardDeck;
use m220_isa::octal_deck::OctalDeck;
use m220_isa::{CoreAddress, Model, Word};
use m220_machine::devices::Devices;
use m220_machine::devices::drum::Drum;
use m220_machine::devices::exchange::{Condition, Layout, Target};
use m220_machine::devices::roll::Roll;
use m220_machine::devices::tape::Tape;
use m220_machine::{Config, Machine, StopReason};
use proptest::prelude::*;

/// A program of the examples folder.
macro_rules! example {
    ($name:literal) => {
        include_str!(concat!("../../../m220-programs/examples/", $name))
    };
}

fn cell(text: &str) -> CoreAddress {
    text.parse().unwrap()
}

/// A machine with an octal deck in core, started.
fn loaded(devices: Devices, model: Model, deck: &str) -> Machine<Devices> {
    let mut machine = Machine::with_periphery(Config::new(model), devices);
    let deck = OctalDeck::parse(deck.as_bytes()).unwrap();
    for &(cell, word) in &deck.words {
        machine.set_core(cell.into(), word).unwrap();
    }
    machine.start(deck.start_or_default());
    machine
}

fn words(machine: &Machine<Devices>, cells: &[&str]) -> Vec<String> {
    cells.iter().map(|text| machine.core(cell(text)).unwrap().grouped()).collect()
}

fn with_cards(model: Model, deck: &str) -> Devices {
    let mut devices = Devices::new(model);
    devices.fit_card_reader(CardDeck::parse(deck.as_bytes()).unwrap());
    devices
}

/// The card group printed in Lyashenko 1974, read by the instruction printed with it.
#[test]
fn the_printed_card_group() {
    let cards = "0 0 00 0005 0000 0000 1\n1 0 05 0201 0201 0600 0\n1 2 04 0600 0202 0601 0\n1 2 11 1006 0403 1401 1\n";
    for model in Model::ALL {
        let program = ":0100\n0 10 0001 0001 0016\n0 77 0000 0000 0000\n@0100";
        let mut machine = loaded(with_cards(model, cards), model, program);
        let stop = machine.run(10);
        assert_eq!((stop.reason, stop.at), (StopReason::Halt, cell("0101")));
        assert_eq!(
            words(&machine, &["0004", "0005", "0006", "0007", "0016"]),
            [
                "0 00 0000 0000 0000",
                "0 05 0201 0201 0600",
                "2 04 0600 0202 0601",
                "0 00 0000 0000 0000",
                "2 11 1006 0403 1401",
            ]
        );
        // 24 us for each instruction, 50 ms for each of the four cards.
        assert_eq!(machine.clock().m220.microseconds(), 200_048.0);
    }
}

/// The same group with a wrong sum: 10 stops and would go on at A2, 30 goes there at once.
#[test]
fn a_wrong_card_sum() {
    let cards = "0 0 00 0005 0000 0000 1\n1 0 05 0201 0201 0600 0\n1 2 11 1006 0403 1401 1\n";
    for (code, reasons) in [("10", vec![StopReason::Checksum, StopReason::Halt]), ("30", vec![StopReason::Halt])] {
        let program = format!(":0100\n0 {code} 0001 0103 0016\n0 56 0000 0100 0000\n:0103\n0 77 0000 0000 0000\n@0100");
        let mut machine = loaded(with_cards(Model::M220, cards), Model::M220, &program);
        for reason in reasons {
            let stop = machine.run(10);
            let at = if reason == StopReason::Halt { "0103" } else { "0100" };
            assert_eq!((stop.reason, stop.at), (reason, cell(at)), "code {code}");
            assert_eq!(words(&machine, &["0016"]), ["0 05 0206 0201 0600"], "the sum is stored before the stop");
        }
    }
}

/// The two examples of code 57 printed in Lyashenko 1974, and that the word stored at A3 restores the
/// registers (inferred).
#[test]
fn the_printed_cube_changes() {
    let registers = |machine: &Machine<Devices>| {
        let cubes = machine.registers().cubes;
        [cubes.rp_mb, cubes.rp_ml, cubes.rp_kra, cubes.rp_a1, cubes.rp_a2, cubes.rp_a3]
    };
    let program =
        ":0100\n0 57 2501 0303 0050\n0 57 2003 0000 0000\n0 56 0000 0050 0000\n:0051\n0 77 0000 0000 0000\n@0100";
    let mut machine = loaded(Devices::new(Model::M220), Model::M220, program);
    machine.step();
    assert_eq!(registers(&machine), [0, 1, 0, 3, 0, 3]);
    // Bits for RP ML, RP A1 and RP A3, and zeros: what they were.
    assert_eq!(words(&machine, &["0050", "30050"]), ["0 57 2500 0000 0000", "0 00 0000 0000 0000"]);
    machine.step();
    assert_eq!(registers(&machine), [0, 3, 0, 3, 0, 3]);
    let stop = machine.run(10);
    assert_eq!((stop.reason, stop.at), (StopReason::Halt, cell("0051")));
    assert_eq!(registers(&machine), [0; 6]);
}

/// A deck whose first group reads the second over itself: the input instruction is fetched from RR by
/// way of cell 0000, so its own cell may be overwritten.
#[test]
fn a_deck_loads_itself() {
    for model in Model::ALL {
        let mut machine = Machine::with_periphery(Config::new(model), with_cards(model, example!("onto-itself.cdr")));
        assert_eq!(machine.press_input(), None);
        assert_eq!(words(&machine, &["0001", "0002"]), ["0 56 0002 0000 0000", "0 10 0001 0001 0000"]);
        let stop = machine.run(10);
        assert_eq!((stop.reason, stop.at), (StopReason::Halt, cell("0002")), "{stop}");
        assert_eq!(words(&machine, &["0001", "0012"]), ["0 01 0010 0011 0012", "1 03 4000 0000 0000"], "1 + 3 = 4");
        assert_eq!(machine.clock().instructions, 5, "input, jump, input, addition, halt");
    }
}

/// One program reads what another writes; the checksum detects a damaged word, in the data or the sum.
#[test]
fn a_drum_is_written_and_read_back() {
    for model in [Model::M220, Model::M20] {
        let mut devices = Devices::new(model);
        devices.fit_drum(0, Drum::blank(model)).unwrap();
        let mut writer = loaded(devices, model, example!("drum-write.m20"));
        assert_eq!(writer.run(10).reason, StopReason::Halt);
        let sum = writer.core(cell("0030")).unwrap();
        let drum = writer.into_periphery().drum(0).unwrap().clone();

        let read = |damage: Option<usize>, blocked: bool| {
            let mut bytes = drum.to_bytes();
            if let Some(at) = damage {
                bytes[8 * at] ^= 1;
            }
            let mut devices = Devices::new(model);
            devices.fit_drum(0, Drum::from_bytes(model, &bytes).unwrap()).unwrap();
            let program = example!("drum-read.m20");
            let program = if blocked { program.replace("0 50 0010", "0 50 0410") } else { program.to_owned() };
            let mut reader = loaded(devices, model, &program);
            let stop = reader.run(10);
            (stop.reason, stop.at.to_string(), words(&reader, &["0020", "0021", "0022"]), reader)
        };
        let good = ["1 01 4000 0000 0000", "3 00 4000 0000 0000", "0 16 0103 7501 7610"];
        for blocked in [false, true] {
            let (reason, at, back, reader) = read(None, blocked);
            assert_eq!((reason, at.as_str(), back), (StopReason::Halt, "0012", good.map(str::to_owned).to_vec()));
            assert_eq!(reader.core(cell("0030")).unwrap(), sum);
        }

        let (reason, at, back, mut reader) = read(Some(0o101), false);
        assert_eq!((reason, at.as_str()), (StopReason::Checksum, "0011"));
        assert_eq!(back[1], "3 00 4000 0000 0001", "the damaged word has come to core");
        assert_ne!(reader.core(cell("0030")).unwrap(), sum);
        assert_eq!(reader.run(10).at, cell("0013"), "continued, the program goes on at A2");

        let (reason, at, _, _) = read(Some(0o101), true);
        assert_eq!((reason, at.as_str()), (StopReason::Halt, "0013"), "the stop is blocked: at A2 at once");
        let (reason, _, back, _) = read(Some(0o103), false);
        assert_eq!((reason, back), (StopReason::Checksum, good.map(str::to_owned).to_vec()), "the sum is damaged");
        // Six words down to the drum's first: never written.
        let mut devices = Devices::new(model);
        devices.fit_drum(0, drum.clone()).unwrap();
        let elsewhere = example!("drum-read.m20").replace("0010 0100 0022", "0010 0076 0022");
        let stop = loaded(devices, model, &elsewhere).run(10);
        assert_eq!(stop.reason, StopReason::Device);
        assert!(stop.message.starts_with("word 00076 of"), "{}", stop.message);
    }
}

fn printed(model: Model, program: &str, plain_numbers: bool) -> String {
    let paper = Roll::default();
    let mut devices = Devices::new(model);
    devices.fit_printer(Box::new(paper.clone()), plain_numbers);
    let mut machine = loaded(devices, model, program);
    let stop = machine.run(1000);
    assert_eq!(stop.reason, StopReason::Halt, "{stop}");
    paper.text()
}

/// Text, decimal, octal: one page of all three, the same on every model.
#[test]
fn a_page_of_each_kind() {
    for model in Model::ALL {
        insta::allow_duplicates! {
            insta::assert_snapshot!(printed(model, example!("page.m20"), false), @r"
            МАШИНА М-220        ЛИСТ 1

            +++01141421356  +--02173205081  -++10123456789
            050214000000043 070004000000000 050210000000046 070004400000000 050250000000017 070001000000000 077000000000000 000000000000000
            ");
        }
    }
}

/// With plain numbers decimal printing is readable; octal printing is unchanged.
#[test]
fn a_page_of_plain_numbers() {
    let program = ":0010\n0 50 0100 0000 0031\n0 70 0020 0000 0000\n0 50 2500 0000 0021\n0 70 0020 0000 0000\n\
                   0 77 0000 0000 0000\n:0020\n=1\n=-20\n=0.1\n=1e-15\n=123456789.5\n=0\n=-9e18\n=2\n=3\n=4\n@0010";
    insta::assert_snapshot!(printed(Model::M220, program, true), @r"
     1.00000000e0   -2.00000000e1    1.00000000e-1   1.00000000e-15  1.23456790e8    0              -9.00000000e18   2.00000000e0
     3.00000000e0    4.00000000e0   564104303050543
    101400000000000 305500000000000
    ");
}

/// Octal words fill lines of eight; every exchange begins a new line; the M-20's buffer merges.
#[test]
fn lines_of_words() {
    let program = ":0010\n0 50 0500 0000 0031\n0 70 0020 0000 0000\n0 50 2300 0002 0020\n0 70 0020 0000 0000\n\
                   0 50 2500 0002 0021\n0 70 0021 0000 0000\n0 77 0000 0000 0000\n\
                   :0020\n000000000000001\n000000000000002\n000000000000003\n:0031\n777777777777777\n@0010";
    // On the M-220 words 0 and 1 are those of the first print; on the M-20 the buffer was cleared, and 1
    // and 2 come together in cell 2.
    insta::assert_snapshot!(printed(Model::M220, program, false), @r"
    000000000000001 000000000000002 000000000000003 000000000000000 000000000000000 000000000000000 000000000000000 000000000000000
    000000000000000 777777777777777 777000000000006
    000000000000001 000000000000002 000000000000002
    ");
    insta::assert_snapshot!(printed(Model::M20, program, false), @r"
    000000000000001 000000000000002 000000000000003 000000000000000 000000000000000 000000000000000 000000000000000 000000000000000
    000000000000000 777777777777777 777000000000006
    000000000000000 000000000000000 000000000000003
    ");
}

/// Text over several lines: positions, line advance, printing over a line.
#[test]
fn a_page_of_text() {
    let text = m220_isa::text::encode("ХОД").unwrap()[0];
    // Line 1: 22 words, the last with "no advance"; line 2 prints over it from position 100.
    let mut deck = String::from(":0010\n0 50 2140 0000 0177\n0 70 0100 0000 0000\n0 77 0000 0000 0000\n:0100\n");
    let word = |codes: [u8; 6]| m220_isa::text::pack(codes).grouped();
    let blank = word([0o17; 6]);
    let mut lines: Vec<String> = vec![blank; 64];
    lines[0] = text.grouped();
    lines[21] = word([0o160, 0o17, 0o17, 0o17, 0o17, 0o17]);
    lines[22] = word([0o144, 10, 0o40, 0o41, 0o42, 0o17]);
    lines[43] = word([0o150, 2, 0o17, 0o17, 0o17, 0o17]);
    lines[44] = word([0o144, 124, 0o70, 0o71, 0o72, 0o73]);
    deck.push_str(&lines.join("\n"));
    deck.push_str("\n@0010");
    let page = printed(Model::M220, &deck, false);
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!(lines, ["ХОД       АБВ", "", "", &format!("{}ШЩЫЬ", " ".repeat(124))]);
}

/// A machine with every device, zeros at the beginning of its drum and tape, and what it printed and
/// punched.
fn fully_fitted(model: Model) -> (Machine<Devices>, Roll) {
    let paper = Roll::default();
    let mut devices = Devices::new(model);
    let (mut drum, mut tape) = (Drum::blank(model), Tape::blank(model));
    (0..0o100).for_each(|at| drum.write(at, Word::ZERO));
    for zone in 0..3 {
        tape.format(zone, &[Word::ZERO; 0o100], Some(Word::ZERO)).unwrap();
    }
    devices.fit_drum(0, drum).unwrap();
    devices.fit_tape(1, tape).unwrap();
    devices.fit_printer(Box::new(paper.clone()), false);
    devices.fit_punch(Box::new(paper.clone()));
    devices.fit_card_reader(CardDeck::parse(example!("onto-itself.cdr").as_bytes()).unwrap());
    (Machine::with_periphery(Config { cubes: 1, ..Config::new(model) }, devices), paper)
}

/// One or two words of a program that keeps its devices busy and loads its own instructions from them:
/// a prepared exchange, or another instruction.
fn device_words() -> impl Strategy<Value = Vec<u64>> {
    let address = || prop_oneof![4 => 0u64..0o40, 1 => Just(0u64), 1 => 0u64..0o10000];
    let conditions = [0o0014, 0o2014, 0o4014, 0o0010, 0o0410, 0o2010, 0o2500, 0o0200, 0o2300, 0o0041, 0o0025, 0o0421];
    let condition = prop::sample::select(conditions.to_vec());
    let code = prop::sample::select(vec![0o70, 0o30, 0o10, 0o00, 0o13, 0o52, 0o12, 0o56, 0o36]);
    let word = |tags: u64, code: u64, a1: u64, a2: u64, a3: u64| tags << 42 | code << 36 | a1 << 24 | a2 << 12 | a3;
    prop_oneof![
        2 => (condition, 0u64..3, 0u64..0o40, address(), address(), address()).prop_map(
            move |(condition, place, last, a1, a2, a3)| {
                vec![word(0, 0o50, condition, place, last), word(0, 0o70, a1, a2, a3)]
            }
        ),
        1 => (code, 0u64..2, address(), address(), address())
            .prop_map(move |(code, tags, a1, a2, a3)| vec![word(tags, code, a1, a2, a3)]),
    ]
}

/// The table of condition numbers on the page about running programs, read against the machine.
#[test]
fn the_exchange_codes_of_the_page() {
    let page = include_str!("../../../crates/m220-cli/docs/running.md");
    let (section, _) = page.split_once("## Exchange codes").unwrap().1.split_once("\n## ").unwrap();
    let rows: Vec<(u16, &str)> = section
        .lines()
        .filter_map(|line| {
            let mut fields = line.strip_prefix('|')?.split('|').map(str::trim);
            let number = fields.next()?.trim_start_matches("+ ").trim_end_matches(" + n");
            Some((u16::from_str_radix(number, 8).ok()?, fields.next()?))
        })
        .collect();
    let known = [
        ("read drum", Target::Drum, false),
        ("write drum", Target::Drum, true),
        ("read tape", Target::Tape, false),
        ("write into an existing zone", Target::Tape, true),
        ("lay out a zone", Target::FormatTape, false),
        ("print decimal", Target::Print(Layout::Decimal), false),
        ("print octal", Target::Print(Layout::Octal), false),
        ("print text", Target::Print(Layout::Text), false),
        ("punch", Target::Punch, false),
        ("only put words into the print buffer", Target::Gather, false),
    ];
    let (devices, bits) = rows.split_at(known.len());
    for (&(number, text), (begins, target, write)) in devices.iter().zip(known) {
        let condition = Condition::decode(number).unwrap();
        assert!(text.starts_with(begins), "{number:04o}: {text}");
        assert_eq!((condition.target, condition.write, condition.number), (target, write, 0), "{number:04o}");
    }
    let told: Vec<bool> = bits
        .iter()
        .map(|&(bit, text)| {
            let condition = Condition::decode(bit | 0o0010).unwrap();
            let means = match text.split_whitespace().next() {
                Some("leave") => condition.block_core,
                Some("no") => condition.block_control,
                Some("search") => condition.reverse,
                _ => text.contains("after a wrong sum go to A2") && condition.block_stop,
            };
            means && condition.target == Target::Drum
        })
        .collect();
    assert_eq!(told, [true; 4]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    /// Programs that exchange with every device, and load instructions over those just executed, run to a
    /// stop or the limit; looking ahead or not, they leave the same machine, devices and prints.
    #[test]
    fn programs_with_devices_run_alike_with_and_without_look_ahead(
        model in prop::sample::select(&Model::ALL[..]),
        program in prop::collection::vec(device_words(), 0o20).prop_map(|words| words.concat()),
    ) {
        let outcome = |plain: bool| {
            let (mut machine, paper) = fully_fitted(model);
            for (at, &bits) in program.iter().enumerate() {
                machine.set_core(CoreAddress::from_index(at + 1).unwrap(), Word::truncating(bits)).unwrap();
            }
            machine.start(cell("0001"));
            let stop = if plain { machine.run_plain(300) } else { machine.run(300) };
            let core: Vec<Word> = machine.core_words().collect();
            let state = (stop, machine.registers(), machine.clock(), core);
            let devices = machine.periphery();
            let kept = (devices.drum(0).cloned(), devices.tape(1).cloned(), paper.text());
            (state, kept)
        };
        let (ahead, plain) = (outcome(false), outcome(true));
        prop_assert_eq!(&ahead.0.0, &plain.0.0);
        prop_assert!(ahead == plain, "registers, clock, core or devices differ");
    }
}
