use super::roll::Roll;
use super::*;
use crate::periphery::{AfterExchange, UnfittedCube, checksum};
use m220_isa::{Address, CoreAddress, Word};

/// Two cubes of core as a plain array.
struct Core(Vec<Word>);

impl Core {
    fn new() -> Core {
        Core(vec![Word::ZERO; 2 * 4096])
    }

    fn with(words: &[(u16, u64)]) -> Core {
        let mut core = Core::new();
        for &(at, bits) in words {
            core.0[usize::from(at)] = Word::truncating(bits);
        }
        core
    }

    fn bits(&self, at: u16) -> u64 {
        self.0[usize::from(at)].bits()
    }
}

impl CoreAccess for Core {
    fn load(&self, at: CoreAddress) -> Result<Word, UnfittedCube> {
        self.0.get(at.index()).copied().ok_or(UnfittedCube(at.cube()))
    }

    fn store(&mut self, at: CoreAddress, word: Word) -> Result<(), UnfittedCube> {
        let cell = self.0.get_mut(at.index()).ok_or(UnfittedCube(at.cube()))?;
        if at.cell() != Address::ZERO {
            *cell = word;
        }
        Ok(())
    }
}

/// Condition, device address, first and last cell.
fn order(condition: u16, device_address: u16, first: usize, last: usize) -> ExchangeOrder {
    let (first, last) = (CoreAddress::from_index(first).unwrap(), CoreAddress::from_index(last).unwrap());
    ExchangeOrder { condition, device_address, rp_mb: 0, rp_ml: 0, first, last }
}

/// Paper that has run out.
struct NoPaper;

impl Write for NoPaper {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn drum_machine() -> Devices {
    let mut devices = Devices::new(Model::M20);
    devices.fit_drum(2, Drum::blank(Model::M20)).unwrap();
    devices
}

const WRITE: u16 = 0o0016;
const READ: u16 = 0o0012;

#[test]
fn a_drum_gives_back_what_it_got_and_notices_damage() {
    let mut devices = drum_machine();
    let mut core = Core::with(&[(0o20, 0o111), (0o21, 0o222)]);
    let written = devices.exchange(&mut core, &order(WRITE, 0o7777, 0o20, 0o21)).unwrap();
    assert_eq!((written.checksum.bits(), written.verdict), (0o333, AfterExchange::Next));
    // 40 ms + 3 / 6400 s and 65 ms + 3 / 16000 s, in half-microseconds: 937.5 is rounded up.
    assert_eq!((written.m20.0, written.m220.0), (80_938, 130_375));

    // The words wrapped: 7777, 0, and the sum at 1.
    let drum = devices.drum(2).unwrap();
    assert_eq!(
        [0o7777, 0, 1, 2].map(|at| drum.read(at).map(Word::bits)),
        [Some(0o111), Some(0o222), Some(0o333), None]
    );

    let good = devices.exchange(&mut core, &order(READ, 0o7777, 0o30, 0o31)).unwrap();
    assert_eq!((good.verdict, core.bits(0o30), core.bits(0o31)), (AfterExchange::Next, 0o111, 0o222));

    devices.drums.fitted.0[2].as_mut().unwrap().write(0, Word::truncating(0o223));
    let read = order(READ, 0o7777, 0o40, 0o41);
    for (blocked, verdict) in [
        (0, AfterExchange::ChecksumStop { expected: Word::truncating(0o333) }),
        (0o400, AfterExchange::JumpToA2),
        (0o2000, AfterExchange::Next),
        (0o4000, AfterExchange::ChecksumStop { expected: Word::truncating(0o333) }),
    ] {
        let mut core = Core::new();
        let condition = READ | blocked;
        let read = devices.exchange(&mut core, &ExchangeOrder { condition, ..read }).unwrap();
        assert_eq!((read.verdict, read.checksum.bits()), (verdict, 0o334));
        let stored = if blocked == 0o4000 { 0 } else { 0o223 };
        assert_eq!(core.bits(0o41), stored, "the words come before their sum");
    }
}

#[test]
fn a_blocked_write_sends_zeros_and_without_control_no_sum() {
    let mut devices = drum_machine();
    let mut core = Core::with(&[(0o20, 0o111), (0o21, 0o222)]);
    let written = devices.exchange(&mut core, &order(WRITE | 0o6000, 0, 0o20, 0o21)).unwrap();
    assert_eq!(written.checksum, Word::ZERO);
    let drum = devices.drum(2).unwrap();
    assert_eq!([0, 1, 2].map(|at| drum.read(at)), [Some(Word::ZERO), Some(Word::ZERO), None]);
    assert_eq!(written.m220.0, 130_250, "two words passed");
}

#[test]
fn an_unwritten_word_is_a_fault_and_leaves_core_alone() {
    let mut devices = drum_machine();
    let mut core = Core::with(&[(0o20, 5)]);
    devices.exchange(&mut core, &order(WRITE | 0o2000, 0, 0o20, 0o20)).unwrap();
    let mut core = Core::new();
    let fault = devices.exchange(&mut core, &order(READ, 0, 0o20, 0o20)).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("word 00001 of drum 2 was never written".to_owned()));
    assert_eq!(core.bits(0o20), 0);
    let fault = devices.exchange(&mut core, &order(0o0011, 0, 0o20, 0o20)).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("drum 1 is not fitted".to_owned()));
}

#[test]
fn an_unfitted_cube_is_a_fault_and_changes_nothing() {
    let mut devices = drum_machine();
    let mut core = Core::new();
    // Two cubes: the exchange runs from the end of cube 1 into cube 2.
    let read = order(READ | 0o2000, 0, 0o17777, 0o20001);
    devices.exchange(&mut core, &order(WRITE, 0, 0o20, 0o30)).unwrap();
    let before = core.0.clone();
    assert_eq!(devices.exchange(&mut core, &read), Err(DeviceFault::UnfittedCube(UnfittedCube(2))));
    assert_eq!(core.0, before);
    let drum = devices.drum(2).unwrap().clone();
    let write = ExchangeOrder { condition: WRITE, ..read };
    assert!(devices.exchange(&mut core, &write).is_err());
    assert_eq!(devices.drum(2), Some(&drum));
}

#[test]
fn the_drum_of_the_m220_is_one_and_its_number_is_an_address() {
    let mut devices = Devices::new(Model::M220);
    devices.fit_drum(0, Drum::blank(Model::M220)).unwrap();
    let mut core = Core::with(&[(0o20, 0o111), (0o21, 0o222)]);
    // RP MB 1, number 1, cell 7777: address 57777, the last; the rest wraps to 00000.
    let last = ExchangeOrder { rp_mb: 1, ..order(0o0015, 0o7777, 0o20, 0o21) };
    devices.exchange(&mut core, &last).unwrap();
    let drum = devices.drum(0).unwrap();
    assert_eq!([0o57777, 0, 1].map(|at| drum.read(at).map(Word::bits)), [Some(0o111), Some(0o222), Some(0o333)]);
    // Only the low bit of RP MB counts.
    let same = ExchangeOrder { rp_mb: 3, ..order(0o0011, 0o7777, 0o30, 0o31) };
    devices.exchange(&mut core, &same).unwrap();
    assert_eq!(core.bits(0o31), 0o222);
    let above = ExchangeOrder { rp_mb: 1, ..order(0o0012, 0, 0o20, 0o21) };
    let fault = devices.exchange(&mut core, &above).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("drum address 60000 is above 57777".to_owned()));
}

#[test]
fn which_drums_and_tapes_can_be_fitted() {
    let mut devices = Devices::new(Model::M20);
    for number in [3, 0, 2, 0] {
        devices.fit_drum(number, Drum::blank(Model::M20)).unwrap();
    }
    let refused = |fitted: Result<(), Sentence>| fitted.unwrap_err().to_string();
    assert_eq!(
        [
            refused(devices.fit_drum(1, Drum::blank(Model::M20))),
            refused(devices.fit_drum(0, Drum::blank(Model::M220))),
            refused(devices.fit_tape(4, Tape::blank(Model::M20))),
            refused(Devices::new(Model::M220).fit_drum(1, Drum::blank(Model::M220))),
        ],
        [
            "a fourth drum: expected at most three",
            "a drum of 24576 words does not belong to this model",
            "no tape 4: expected a number 0 to 3",
            "no drum 1: expected 0, the one drum of the M-220",
        ]
    );
}

#[test]
fn tapes_are_laid_out_then_written_and_read() {
    let mut devices = Devices::new(Model::M220);
    devices.fit_tape(1, Tape::blank(Model::M220)).unwrap();
    let mut core = Core::with(&[(0o20, 1), (0o21, 2), (0o22, 4)]);
    let (format, write, read) = (0o0041, 0o0025, 0o0021);
    let fault = devices.exchange(&mut core, &order(write, 0o12, 0o20, 0o22)).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("tape 1: zone 0012 does not exist".to_owned()));

    let laid_out = devices.exchange(&mut core, &order(format | 0o4000, 0o12, 0o20, 0o22)).unwrap();
    // Three words and their sum at 5,000 and 2,500 words a second.
    assert_eq!((laid_out.checksum, laid_out.m20.0, laid_out.m220.0), (Word::ZERO, 3_200, 1_600));
    devices.exchange(&mut core, &order(write, 0o12, 0o20, 0o22)).unwrap();
    // Searching backwards finds the same zone.
    let found = devices.exchange(&mut core, &order(read | 0o1000, 0o12, 0o30, 0o32)).unwrap();
    assert_eq!((found.checksum.bits(), found.verdict), (7, AfterExchange::Next));
    assert_eq!([0o30, 0o31, 0o32].map(|at| core.bits(at)), [1, 2, 4]);

    let shorter = devices.exchange(&mut core, &order(read, 0o12, 0o30, 0o31)).unwrap();
    let third = Word::truncating(4);
    assert_eq!(
        shorter.verdict,
        AfterExchange::ChecksumStop { expected: third },
        "the third word is not the sum of two"
    );
    let fault = devices.exchange(&mut core, &order(read, 0o12, 0o30, 0o33)).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("tape 1: zone 0012 has 3 words, the exchange 4".to_owned()));
    let extended = ExchangeOrder { rp_ml: 1, ..order(read, 0o12, 0o30, 0o31) };
    let fault = devices.exchange(&mut core, &extended).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("tape 5: not fitted".to_owned()));
}

fn reader(deck: &str) -> Devices {
    let mut devices = Devices::new(Model::M220);
    devices.fit_card_reader(CardDeck::parse(deck.as_bytes()).unwrap());
    devices
}

fn cards(first: usize, stop_on_mismatch: bool) -> CardOrder {
    CardOrder { first: CoreAddress::from_index(first).unwrap(), stop_on_mismatch }
}

const ADDRESS: &str = "0 0 00 0005 0000 0000 1\n";
const WORDS: &str = "1 0 05 0201 0201 0600 0\n1 2 04 0600 0202 0601 0\n";
const END: &str = "1 2 11 1006 0403 1401 1\n";

#[test]
fn the_printed_card_group() {
    let mut devices = reader(&[ADDRESS, WORDS, END].concat());
    let mut core = Core::new();
    let read = devices.read_cards(&mut core, &cards(1, true)).unwrap();
    assert_eq!((read.checksum.grouped().as_str(), read.verdict), ("2 11 1006 0403 1401", AfterExchange::Next));
    assert_eq!((read.m20.0, read.m220.0), (400_000, 400_000), "four cards at 50 ms");
    let stored: Vec<String> = (4..8).map(|at| core.0[at].grouped()).collect();
    assert_eq!(stored, ["0 00 0000 0000 0000", "0 05 0201 0201 0600", "2 04 0600 0202 0601", "0 00 0000 0000 0000"]);
    let fault = devices.read_cards(&mut core, &cards(1, true)).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("the card reader has no more cards".to_owned()));
}

/// A wrong sum, with each instruction and each block bit of an address card.
#[test]
fn wrong_sums() {
    for (address_card, ten, thirty) in [
        (
            "0 0 00 0005 0000 0000 1",
            AfterExchange::ChecksumStop { expected: Word::truncating(1) },
            AfterExchange::JumpToA2,
        ),
        ("0 0 00 0005 0000 0001 1", AfterExchange::JumpToA2, AfterExchange::JumpToA2),
        ("0 0 00 0005 0000 4000 1", AfterExchange::Next, AfterExchange::Next),
        ("0 0 00 0005 0000 4001 1", AfterExchange::Next, AfterExchange::Next),
    ] {
        for (stops, verdict) in [(true, ten), (false, thirty)] {
            let mut devices = reader(&format!("{address_card}\n{WORDS}1 000000000000001 1"));
            let mut core = Core::new();
            assert_eq!(devices.read_cards(&mut core, &cards(1, stops)).unwrap().verdict, verdict, "{address_card}");
            assert_eq!(core.0[5].grouped(), "0 05 0201 0201 0600");
        }
    }
}

#[test]
fn groups_can_go_nowhere_or_to_a_cube_of_their_own() {
    // First cell 0; then a group at 0010; then a blocked one; then one at cell 0 again.
    let deck = "1 =1        0\n0 0 00 0010 0000 0000 1\n1 =1        0\n0 0 00 0020 0001 0000 1\n1 =1        0\n\
                0 0 00 0000 0000 0000 1\n1 =1        0\n1 000000000000000 1";
    let mut devices = reader(deck);
    let mut core = Core::new();
    devices.read_cards(&mut core, &cards(0o10000, false)).unwrap();
    let filled: Vec<usize> = (0..core.0.len()).filter(|&at| core.0[at] != Word::ZERO).collect();
    assert_eq!(filled, [0o10], "the address card names cube 0");

    // The book's own words on a cube, on a machine of two: 1 is fitted, 3 is not, and then nothing at all is stored.
    let to_cube = |cube: u8| format!("1 =1        0\n0 0 0{cube} 0220 0000 0000 1\n1 =1        0\n1 000000000000000 1");
    let mut core = Core::new();
    reader(&to_cube(1)).read_cards(&mut core, &cards(0o20, false)).unwrap();
    let filled: Vec<usize> = (0..core.0.len()).filter(|&at| core.0[at] != Word::ZERO).collect();
    assert_eq!(filled, [0o20, 0o10220]);
    let mut core = Core::new();
    let fault = reader(&to_cube(3)).read_cards(&mut core, &cards(0o20, false)).unwrap_err();
    assert_eq!((fault, core.bits(0o20)), (DeviceFault::UnfittedCube(UnfittedCube(3)), 0));
    let mut m20 = Devices::new(Model::M20);
    m20.fit_card_reader(CardDeck::parse(to_cube(3).as_bytes()).unwrap());
    m20.read_cards(&mut core, &cards(0o20, false)).unwrap();
    assert_eq!(core.bits(0o220), core.bits(0o20), "an M-20 has one cube");

    let mut devices = reader(&[ADDRESS, WORDS].concat());
    let fault = devices.read_cards(&mut core, &cards(1, true)).unwrap_err();
    let text = "the card reader ran out of cards: no end card (both marks) among the last 3";
    assert_eq!(fault, DeviceFault::Device(text.to_owned()));
    assert_eq!(core.bits(5), 0, "nothing is stored");
}

#[test]
fn words_are_gathered_and_come_out_together() {
    let (paper, punched) = (Roll::default(), Roll::default());
    let mut devices = Devices::new(Model::M220);
    let mut core = Core::with(&[(0o20, 0o11), (0o21, 0o22)]);
    let fault = devices.exchange(&mut core, &order(0o300, 0, 0o20, 0o21)).unwrap_err();
    assert_eq!(fault, DeviceFault::Device("the printer is not fitted".to_owned()));
    devices.fit_printer(Box::new(paper.clone()), false);
    devices.fit_punch(Box::new(punched.clone()));

    let gathered = devices.exchange(&mut core, &order(0o2300, 0, 0o20, 0o21)).unwrap();
    assert_eq!((gathered.m20.0, paper.text().as_str(), punched.text().as_str()), (0, "", ""));
    let out = devices.exchange(&mut core, &order(0o200, 0, 0o21, 0o21)).unwrap();
    assert_eq!(out.m20.0, 4 * 200_000);
    assert_eq!(
        punched.text(),
        "1 0 00 0000 0000 0011 0\n1 0 00 0000 0000 0022 0\n1 0 00 0000 0000 0022 0\n1 0 00 0000 0000 0022 1\n"
    );
    devices.exchange(&mut core, &order(0o2500, 0, 0o20, 0o20)).unwrap();
    assert_eq!(paper.text(), "000000000000011\n");
}

#[test]
fn a_punched_group_reads_back() {
    let punched = Roll::default();
    let mut devices = Devices::new(Model::M20);
    devices.fit_punch(Box::new(punched.clone()));
    let mut core = Core::with(&[(0o20, 0o777_000_000_000_001), (0o21, 0o123_456_701_234_567)]);
    devices.exchange(&mut core, &order(0o200, 0, 0o20, 0o21)).unwrap();
    let mut devices = reader(&punched.text());
    let read = devices.read_cards(&mut core, &cards(0o30, true)).unwrap();
    assert_eq!(read.verdict, AfterExchange::Next);
    assert_eq!(core.0[0o30..0o32], core.0[0o20..0o22]);
}

#[test]
fn output_that_cannot_be_written_is_a_fault_and_the_buffer_is_as_it_was() {
    let mut devices = Devices::new(Model::M20);
    devices.fit_printer(Box::new(NoPaper), false);
    let mut core = Core::with(&[(0o20, 1)]);
    devices.exchange(&mut core, &order(0o2300, 0, 0o20, 0o20)).unwrap();
    let before = devices.output.buffer.clone();
    let fault = devices.exchange(&mut core, &order(0o2500, 0, 0o20, 0o20)).unwrap_err();
    assert!(fault.to_string().starts_with("the printer's output cannot be written"), "{fault}");
    assert_eq!(devices.output.buffer, before);
}

/// Everything that an order can change, core apart.
fn device_state(devices: &Devices) -> impl PartialEq + std::fmt::Debug + use<> {
    let cards_left = devices.card_reader.as_ref().map(CardReader::cards_left);
    (devices.drums.clone(), devices.tapes.clone(), devices.output.buffer.clone(), cards_left)
}

proptest::proptest! {
    /// Whatever a program asks for, the devices either do it or refuse and change nothing. The checksum is
    /// that of the words transferred.
    #[test]
    fn every_order_is_carried_out_or_changes_nothing(
        model in proptest::sample::select(&Model::ALL[..]),
        orders in proptest::collection::vec(
            (0u16..0o10000, proptest::sample::select(&[1, 5, 0o100, 0o7777][..]), 0usize..0o30000, 0u16..70, 0u8..8),
            1..12,
        ),
        seed: u64,
    ) {
        let mut devices = Devices::new(model);
        devices.fit_drum(0, Drum::blank(model)).unwrap();
        devices.fit_tape(1, Tape::blank(model)).unwrap();
        devices.fit_printer(Box::new(std::io::sink()), seed & 1 == 1);
        devices.fit_punch(Box::new(std::io::sink()));
        devices.fit_card_reader(CardDeck::parse([ADDRESS, WORDS, END, WORDS].concat().as_bytes()).unwrap());
        let mut core = Core::new();
        for (at, word) in core.0.iter_mut().enumerate().skip(1) {
            *word = Word::truncating((at as u64 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        for (bits, device_address, first, length, cube_registers) in orders {
            // Half of the orders name one device, the rest are left as generated.
            let device = [0o010, 0o020, 0o040, 0o100, 0o140, 0o200, 0o300][usize::from(bits) % 7];
            let condition = if length % 2 == 0 { bits & !0o370 | device } else { bits };
            let last = (first & !0o7777) | (first + usize::from(length)) & 0o7777;
            let order = ExchangeOrder { rp_mb: cube_registers, rp_ml: cube_registers >> 2, ..order(condition, device_address, first, last) };
            let (core_before, devices_before) = (core.0.clone(), device_state(&devices));
            match devices.exchange(&mut core, &order) {
                Ok(done) if Condition::decode(condition).unwrap().block_core => {
                    proptest::prop_assert_eq!(&core.0, &core_before, "core is blocked");
                    proptest::prop_assert!(done.verdict == AfterExchange::Next || condition & 4 == 0);
                }
                Ok(done) => {
                    let passed = checksum(order.cells().map(|cell| core.0[cell.index()]));
                    // Cell 0000 discards what a read stores there.
                    let through_zero = order.cells().any(|cell| cell.cell() == Address::ZERO);
                    proptest::prop_assert!(done.checksum == passed || through_zero);
                }
                Err(_) => {
                    proptest::prop_assert_eq!(&core.0, &core_before);
                    proptest::prop_assert_eq!(device_state(&devices), devices_before);
                }
            }
            let before = (core.0.clone(), device_state(&devices));
            if devices.read_cards(&mut core, &cards(first, bits & 1 == 0)).is_err() {
                proptest::prop_assert_eq!((core.0.clone(), device_state(&devices)), before);
            }
        }
    }
}
