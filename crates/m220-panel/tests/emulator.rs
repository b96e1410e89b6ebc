//! The machine behind the page: frames report the machine's work, and no request ends it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use m220_asm::assemble_text;
use m220_isa::{CoreAddress, Model, Word};
use m220_limits::Limits;
use m220_machine::devices::tape::Tape;
use m220_machine::{Config, Machine};
use m220_panel::emulator::Emulator;
use m220_panel::protocol::{Frame, Phase, Program, Request, SavedFile, UploadKind};
use proptest::prelude::*;
use std::time::Duration;

/// Counts to 100,000 (octal 303240) in `sum`, then stops.
const COUNT: &str = "origin 0100\nstart begin\nbegin: ADDA one, sum, sum\n SUBA sum, most\n JO 0, begin\n STOP\n\
                     one: octal 000000000000001\nmost: octal 000000000303240\nsum: reserve 1\n";

fn prepared(source: &str) -> Program {
    let image = assemble_text("count.m220", source, Model::M220).map(|program| program.image).unwrap();
    let start = image.entry.unwrap();
    let config = Config { cubes: 1, ..Config::new(Model::M220) };
    Program::new("count".to_owned(), config, image, start)
}

/// The same run without a console.
fn plain() -> Machine {
    let prepared = prepared(COUNT);
    let mut machine = Machine::new(prepared.config);
    for (&cell, &word) in &prepared.image.words {
        machine.set_core(cell, word).unwrap();
    }
    machine.start(prepared.start);
    machine.run(u64::MAX);
    machine
}

/// Core in a page's state.
#[derive(Default)]
struct Page {
    core: Vec<u64>,
    instructions: u64,
}

impl Page {
    fn take(&mut self, frame: &Frame) {
        if frame.whole {
            self.core = vec![0; 4096];
        }
        for pair in frame.cells.chunks(2) {
            self.core[pair[0] as usize] = pair[1];
        }
        self.instructions = frame.instructions;
    }
}

/// At every speed, frame by frame, the page reaches the core, the clock and the registers of an unobserved machine.
#[test]
fn frames_add_up_to_the_run() {
    let expected = plain();
    for factor in [None, Some(1e6), Some(1e3)] {
        let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
        let mut page = Page::default();
        page.take(&emulator.frame());
        emulator.carry_out(&Request::Speed { factor }).unwrap();
        emulator.carry_out(&Request::Run).unwrap();
        let mut frames = 0;
        let last = loop {
            emulator.work(Duration::from_millis(16));
            let frame = emulator.frame();
            page.take(&frame);
            frames += 1;
            assert_eq!(frame.lamps.len(), 12 + 12 + 1 + 3 * 45 + 6 * 3 + 4 * 45);
            if !frame.running {
                break frame;
            }
        };
        assert_eq!(last.stop.as_ref().map(|(reason, ..)| reason.as_str()), Some("halt"), "{factor:?}");
        assert!(page.core.iter().copied().eq(expected.core_words().map(Word::bits)), "{factor:?}, {frames} frames");
        assert_eq!(
            (page.instructions, last.half_microseconds),
            (expected.clock().instructions, expected.clock().m220.0)
        );
        assert_eq!(last.sequence, frames + 1);
    }
}

/// At the machine's own speed a second of the page's time is a second of the machine's.
#[test]
fn speed_is_modelled_time() {
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    emulator.carry_out(&Request::Run).unwrap();
    for _ in 0..100 {
        emulator.work(Duration::from_millis(10));
    }
    let half_microseconds = emulator.frame().half_microseconds;
    // The excess of a turn's last instruction is deducted from the next turn.
    assert!((1_999_000..2_001_000).contains(&half_microseconds), "{half_microseconds}");
}

/// Going back and forward again ends in the same state; going back beyond the start is an error.
#[test]
fn back_and_forward() {
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    emulator.carry_out(&Request::Speed { factor: None }).unwrap();
    emulator.carry_out(&Request::Run).unwrap();
    while emulator.is_running() {
        emulator.work(Duration::ZERO);
    }
    emulator.show_all();
    let end = emulator.frame();
    for count in [1, 1_000, 123_456] {
        assert_eq!(emulator.carry_out(&Request::Back { count }).err(), None);
        assert_eq!(emulator.frame().instructions, end.instructions - count);
        let mut left = count;
        while left > 0 {
            let step = left.min(m220_panel::protocol::MOST_STEPS);
            emulator.carry_out(&Request::Step { count: step }).unwrap();
            while emulator.is_running() {
                emulator.work(Duration::ZERO);
            }
            left -= step;
        }
        emulator.show_all();
        let again = emulator.frame();
        assert_eq!(
            (again.cells, again.registers, again.half_microseconds),
            (end.cells.clone(), end.registers.clone(), end.half_microseconds)
        );
    }
    assert!(emulator.carry_out(&Request::Back { count: end.instructions + 1 }).is_err());
}

/// A key keeps its setting when the program is loaded again; a breakpoint stops the run and can be removed.
#[test]
fn keys_and_breakpoints() {
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    let key =
        |emulator: &mut Emulator, key| emulator.carry_out(&Request::Key { key, word: "000000000001234".to_owned() });
    assert_eq!(key(&mut emulator, 2).err(), None);
    assert!(key(&mut emulator, 0).is_err() && key(&mut emulator, 5).is_err());
    emulator.carry_out(&Request::Restart).unwrap();
    assert_eq!(emulator.frame().registers[13], 0o1234);
    emulator.carry_out(&Request::Breakpoint { cell: 0o102 }).unwrap();
    emulator.carry_out(&Request::Run).unwrap();
    assert!(emulator.has_news());
    emulator.frame();
    emulator.work(Duration::from_secs(1));
    assert!(emulator.has_news(), "that it stopped is news");
    let frame = emulator.frame();
    assert_eq!((frame.running, frame.next, frame.instructions, frame.breakpoints), (false, 0o102, 2, vec![0o102]));
    emulator.carry_out(&Request::Breakpoint { cell: 0o102 }).unwrap();
    assert_eq!(emulator.frame().breakpoints, [0u16; 0]);
}

fn request() -> impl Strategy<Value = Request> {
    let cell = (0..0o10000u32).prop_map(|cell| CoreAddress::from_index(cell as usize).unwrap());
    let word = any::<u64>().prop_map(|bits| Word::truncating(bits).to_string());
    let verbs = [
        "step",
        "next",
        "back",
        "print",
        "set",
        "break",
        "watch",
        "delete",
        "list",
        "disassemble",
        "last",
        "to",
        "continue",
        "input",
        "restart",
        "registers",
        "operands",
        "time",
        "mark",
        "symbols",
        "help",
        "where",
        "disable all",
    ];
    let line = (proptest::sample::select(verbs.to_vec()), "[-+0-9a-z=., \\[\\]\"]{0,14}")
        .prop_map(|(verb, rest)| format!("{verb} {rest}"));
    prop_oneof![
        Just(Request::Run),
        Just(Request::Pause),
        Just(Request::Label),
        Just(Request::Restart),
        Just(Request::Input),
        (0..2_000u64).prop_map(|count| Request::Step { count }),
        (0..5_000u64).prop_map(|count| Request::Back { count }),
        prop::option::of(prop_oneof![Just(1.0), Just(f64::NAN), Just(f64::INFINITY), any::<f64>()])
            .prop_map(|factor| Request::Speed { factor }),
        (0..7usize, word).prop_map(|(key, word)| Request::Key { key, word }),
        any::<u16>().prop_map(|cell| Request::Breakpoint { cell }),
        line.prop_map(|line| Request::Debugger { line }),
        (cell, any::<u64>())
            .prop_map(|(cell, bits)| Request::Debugger { line: format!("set {cell} = {}", Word::truncating(bits)) }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any requests in any order, with anything in core: a frame can always be shown.
    #[test]
    fn no_request_ends_the_machine(requests in prop::collection::vec(request(), 1..40)) {
        // Endless programs and jumps anywhere occur: a command of the debugger is bounded, and so is this loop.
        let mut emulator = Emulator::within(prepared(COUNT), &Limits::default().with_instructions(20_000)).unwrap();
        for request in &requests {
            let _ = emulator.carry_out(request);
            emulator.work(Duration::from_millis(1));
            let frame = emulator.frame();
            prop_assert!(frame.cells.len() <= 2 * 4096);
        }
    }

    /// Any bytes as any upload: an error or a device, never a crash.
    #[test]
    fn no_upload_ends_the_machine(bytes in prop::collection::vec(any::<u8>(), 0..400), number in any::<u8>()) {
        let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
        for kind in [UploadKind::Program, UploadKind::Cards, UploadKind::Drum, UploadKind::Tape] {
            let _ = emulator.upload(kind, "noise", number, &bytes);
            let _ = emulator.upload(kind, "noise.m220", number, &bytes);
            emulator.frame();
        }
    }
}

/// After its end a program starts over; a single step does not go on behind the halt. The lamps of a machine at rest
/// show its registers.
#[test]
fn play_after_the_end_starts_over() {
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    assert_eq!(emulator.frame().phase, Phase::Ready);
    emulator.carry_out(&Request::Speed { factor: None }).unwrap();
    let mut ends = Vec::new();
    for _ in 0..2 {
        assert_eq!(emulator.carry_out(&Request::Run).err(), None);
        assert_eq!(emulator.frame().phase, Phase::Running);
        while emulator.is_running() {
            emulator.work(Duration::ZERO);
        }
        emulator.show_all();
        let end = emulator.frame();
        assert_eq!(end.phase, Phase::Ended);
        let lit = end.lamps.iter().filter(|&&lamp| lamp == 100).count() as u32;
        assert_eq!(lit, end.registers.iter().map(|register| register.count_ones()).sum::<u32>());
        assert!(emulator.carry_out(&Request::Step { count: 1 }).is_err());
        ends.push((end.instructions, end.half_microseconds, end.cells, end.stop));
    }
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0].0, plain().clock().instructions);
}

/// A long step of a printing program is taken in turns: the first is short, and a pause between turns ends the step.
#[test]
fn a_step_is_taken_in_slices() {
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    emulator.carry_out(&Request::Step { count: 100_000 }).unwrap();
    let first = emulator.frame();
    assert!(first.phase == Phase::Running && first.instructions < 100_000);
    emulator.carry_out(&Request::Pause).unwrap();
    emulator.work(Duration::ZERO);
    let paused = emulator.frame();
    assert_eq!((paused.phase, paused.instructions), (Phase::Paused, first.instructions));
    emulator.carry_out(&Request::Step { count: 100_000 }).unwrap();
    while emulator.is_running() {
        emulator.work(Duration::ZERO);
    }
    assert_eq!(emulator.frame().instructions, first.instructions + 100_000);
}

/// INPUT that cannot be carried out stops the machine and says why; a program without a word is refused, and a deck by
/// what is wrong with it.
#[test]
fn what_cannot_be_read_is_told() {
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    let deck = b"1 0 56 0000 0002 0000 0\n1 0 77 0000 0000 0000 0\n1 1 55 0000 0002 0000 1\n";
    for (change, reason) in [(0, None), (1, Some("checksum")), (2, Some("device"))] {
        let mut cards = deck.to_vec();
        match change {
            1 => cards[15] = b'3',
            2 => cards.truncate(48),
            _ => (),
        }
        emulator.upload(UploadKind::Cards, "a.cdr", 0, &cards).unwrap();
        emulator.carry_out(&Request::Input).unwrap();
        let frame = emulator.frame();
        assert_eq!(frame.stop.as_ref().map(|(reason, ..)| reason.as_str()), reason, "{:?}", frame.stop);
        assert_eq!(frame.phase == Phase::Ended, reason.is_some());
    }
    let mut refused = |bytes: &[u8]| {
        emulator
            .upload(UploadKind::Program, "a.m20", 0, bytes)
            .map_or_else(|why| why.to_string(), |done| done.to_string())
    };
    assert_eq!(refused(b"; nothing\n"), "a.m20: there is no word in this file");
    let twice = ":0002\n000000000000001\n:0002\n000000000000002\n";
    assert!(refused(twice.as_bytes()).starts_with("a.m20: line 4"), "{}", refused(twice.as_bytes()));
    assert!(refused(b"noise").starts_with("a.m20: neither an ELF image nor an octal deck: "));
}

/// Every drum that the model has can be filled, and no other; a rejected file leaves the devices as they were.
#[test]
fn every_drum_of_the_model_takes_a_file() {
    let mut emulator = Emulator::new(Program { config: Config::new(Model::M20), ..prepared(COUNT) }).unwrap();
    // Nothing is written on them yet.
    assert!(emulator.frame().devices.iter().all(|fitted| fitted.holds == 0));
    let drum = |emulator: &mut Emulator, number| emulator.upload(UploadKind::Drum, "file", number, &[0; 8]);
    let has_drum = |emulator: &mut Emulator, number| {
        emulator.frame().devices.iter().any(|fitted| fitted.device == "drum" && fitted.number == number)
    };
    for number in [3, 0, 1] {
        assert_eq!(drum(&mut emulator, number).err(), None);
        assert!(has_drum(&mut emulator, number));
    }
    let fitted = emulator.frame().devices;
    assert_eq!(fitted.iter().map(|fitted| fitted.holds).sum::<usize>(), 3);
    assert!(!has_drum(&mut emulator, 2));
    for refused in [2, 4, 9] {
        assert!(drum(&mut emulator, refused).is_err());
    }
    assert!(emulator.upload(UploadKind::Tape, "file", 4, &[]).is_err());
    assert_eq!(emulator.carry_out(&Request::Restart).err(), None);
    assert_eq!(emulator.frame().devices, fitted);
}

/// Another program finds the drum as the previous one left it.
#[test]
fn the_drum_outlives_the_program() {
    let writing =
        ":0010\n0 50 0014 0100 0020\n0 70 0020 0000 0030\n0 77 0000 0000 0000\n=1\n=1\n=1\n=1\n=1\n=1\n@0010\n";
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    emulator.upload(UploadKind::Program, "writing.m20", 0, writing.as_bytes()).unwrap();
    emulator.carry_out(&Request::Speed { factor: None }).unwrap();
    emulator.carry_out(&Request::Run).unwrap();
    while emulator.is_running() {
        emulator.work(Duration::ZERO);
    }
    assert_eq!(emulator.frame().stop.map(|(reason, ..)| reason).as_deref(), Some("halt"));
    let drum =
        |emulator: &mut Emulator| emulator.carry_out(&Request::Save { file: SavedFile::Drum, number: 0 }).unwrap();
    let written = drum(&mut emulator);
    assert_ne!(written, "");
    emulator.load(prepared(COUNT)).unwrap();
    assert_eq!(drum(&mut emulator), written);
}

/// A new version of the same program keeps its breakpoints at their labels; another program has none of them.
#[test]
fn a_new_version_keeps_its_breakpoints() {
    let longer = COUNT.replace("begin: ADDA", "begin: MOV one\n ADDA").replace("STOP", "end: STOP");
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    for cell in [0o102, 0o103] {
        emulator.carry_out(&Request::Breakpoint { cell }).unwrap();
    }
    emulator.load(prepared(&longer)).unwrap();
    assert_eq!(emulator.frame().breakpoints, [0o102, 0o103]);
    emulator.carry_out(&Request::Breakpoint { cell: 0o102 }).unwrap();
    emulator.carry_out(&Request::Breakpoint { cell: 0o103 }).unwrap();
    emulator.carry_out(&Request::Breakpoint { cell: 0o104 }).unwrap();
    emulator.load(prepared(&longer.replace("origin 0100", "origin 0200"))).unwrap();
    assert_eq!(emulator.frame().breakpoints, [0o204]);
    emulator.load(Program { title: "another".to_owned(), ..prepared(&longer) }).unwrap();
    assert_eq!(emulator.frame().breakpoints, [0; 0]);
}

/// A machine that was saved goes on to the same end, beside its program or without it; what has halted is at its end.
#[test]
fn a_saved_machine_goes_on() {
    let expected = plain().core_checksum();
    let finish = |emulator: &mut Emulator| {
        while emulator.is_running() {
            emulator.work(Duration::ZERO);
        }
    };
    let save = |emulator: &mut Emulator| {
        let saved = emulator.carry_out(&Request::Save { file: SavedFile::Machine, number: 0 });
        STANDARD.decode(saved.unwrap()).unwrap()
    };
    let open = |emulator: &mut Emulator, bytes: &[u8]| emulator.upload(UploadKind::Program, "night", 0, bytes);
    let end = |emulator: &mut Emulator| Machine::from_bytes(&save(emulator)).unwrap().core_checksum();
    let mut first = Emulator::new(prepared(COUNT)).unwrap();
    first.carry_out(&Request::Step { count: 1000 }).unwrap();
    finish(&mut first);
    let half = save(&mut first);
    let other = "origin 0200\nstart a\na: STOP\n";
    for (source, title, said) in [(COUNT, "count", ""), (other, "night", "night is in core")] {
        let mut emulator = Emulator::new(prepared(source)).unwrap();
        assert_eq!(open(&mut emulator, &half).map(String::from), Ok(said.to_owned()));
        let frame = emulator.frame();
        assert_eq!(
            (frame.instructions, frame.phase, emulator.description().title.as_str()),
            (1000, Phase::Paused, title)
        );
        emulator.carry_out(&Request::Speed { factor: None }).unwrap();
        emulator.carry_out(&Request::Run).unwrap();
        finish(&mut emulator);
        assert_eq!(end(&mut emulator), expected);
        let whole = save(&mut emulator);
        assert!(open(&mut first, &whole).is_ok());
        let frame = first.frame();
        assert_eq!((frame.phase, frame.stop.unwrap().0.as_str()), (Phase::Ended, "halt"));
        first.carry_out(&Request::Run).unwrap();
        assert!(first.frame().instructions < 1000, "it starts over");
        first.carry_out(&Request::Pause).unwrap();
    }
    let mut damaged = half;
    damaged[5000] ^= 1;
    assert!(open(&mut first, &damaged).unwrap_err().to_string().contains("damaged"));
}

/// A page that is opened anew finds the print and the cards as they are; a program that is loaded has new paper.
#[test]
fn a_page_opened_anew_has_the_print() {
    let source = "origin 0100\nstart a\na: PREP 2140, 0, text\n EXCH text, 0, 0\n STOP\ntext: text \"ОДИН\"\n";
    let mut emulator = Emulator::new(prepared(source)).unwrap();
    emulator.carry_out(&Request::Speed { factor: None }).unwrap();
    emulator.frame();
    emulator.carry_out(&Request::Run).unwrap();
    while emulator.is_running() {
        emulator.work(Duration::ZERO);
    }
    let printed = emulator.frame().printed;
    assert_eq!((printed.trim_end(), emulator.frame().printed.as_str()), ("ОДИН", ""));
    emulator.show_all();
    assert_eq!(emulator.frame().printed, printed);
    emulator.carry_out(&Request::Restart).unwrap();
    emulator.show_all();
    assert_eq!(emulator.frame().printed, "");
}

/// A program may bring a tape; the visitor's own is there again under the next program.
#[test]
fn a_tape_of_the_program_does_not_replace_the_visitors() {
    let tape = |word: u64| {
        let mut tape = Tape::blank(Model::M220);
        tape.format(1, &[Word::from_parts(0, word)], None).unwrap();
        tape.to_bytes()
    };
    let tape_in = |emulator: &mut Emulator| {
        let reply = emulator.carry_out(&Request::Save { file: SavedFile::Tape, number: 0 });
        STANDARD.decode(reply.unwrap()).unwrap()
    };
    let (visitors, own) = (tape(1), tape(2));
    let mut emulator = Emulator::new(prepared(COUNT)).unwrap();
    emulator.upload(UploadKind::Tape, "tape", 0, &visitors).unwrap();
    emulator.load(Program { tapes: vec![(0, own.clone())], ..prepared(COUNT) }).unwrap();
    assert_eq!(tape_in(&mut emulator), own);
    emulator.load(prepared(COUNT)).unwrap();
    assert_eq!(tape_in(&mut emulator), visitors);
}
