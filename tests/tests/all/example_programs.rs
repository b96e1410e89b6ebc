//! The example programs: two in octal, the same two in the assembler's language, compared with f64.

use m220_asm::assemble_text;
use m220_isa::octal_deck::OctalDeck;
use m220_isa::{CoreAddress, Model, Word, number};
use m220_machine::devices::Devices;
use m220_machine::{Config, Machine, StopReason};
use proptest::prelude::*;

const NEWTON: [&str; 2] = [
    include_str!("../../../m220-programs/examples/newton.m20"),
    include_str!("../../../m220-programs/examples/newton.m220"),
];
const SINE: [&str; 2] = [
    include_str!("../../../m220-programs/examples/sine.m20"),
    include_str!("../../../m220-programs/examples/sine.m220"),
];

fn cell(text: &str) -> CoreAddress {
    text.parse().unwrap()
}

/// Runs a deck with a number in one cell and returns what is in another at its halt.
fn result(deck: &str, input: &str, value: Word, output: &str) -> Word {
    let deck = OctalDeck::parse(deck.as_bytes()).unwrap();
    let mut devices = Devices::new(Model::M220);
    devices.fit_printer(Box::new(std::io::sink()), false);
    let mut machine = Machine::with_periphery(Config::new(Model::M220), devices);
    for &(cell, word) in &deck.words {
        machine.set_core(cell.into(), word).unwrap();
    }
    machine.set_core(cell(input), value).unwrap();
    machine.start(deck.start_or_default());
    let stop = machine.run(10_000);
    assert_eq!(stop.reason, StopReason::Halt, "{stop}");
    machine.core(cell(output)).unwrap()
}

/// How many units of a 36-bit mantissa's last bit the word is off.
fn units_off(word: Word, exact: f64) -> f64 {
    // 0.5 <= fraction < 1, as the machine normalises.
    let exponent = exact.abs().log2().floor() as i32 + 1;
    (number::to_f64(word) - exact).abs() / 2f64.powi(exponent - 36)
}

/// The word nearest to a number, and that word's own value.
fn nearest(value: f64) -> (Word, f64) {
    let word = number::from_decimal(&format!("{value:e}")).unwrap();
    (word, number::to_f64(word))
}

#[test]
fn octal_and_assembled_words_are_the_same() {
    for ([octal, source], name) in [(NEWTON, "newton"), (SINE, "sine")] {
        let deck = OctalDeck::parse(octal.as_bytes()).unwrap();
        let program = assemble_text(name, source, Model::M220).unwrap();
        assert_eq!(program.warnings.brief(), "");
        let assembled: Vec<_> = program.image.words.iter().map(|(&cell, &word)| (cell, word)).collect();
        let deck_words: Vec<_> = deck.words.iter().map(|&(cell, word)| (CoreAddress::from(cell), word)).collect();
        assert_eq!(deck_words, assembled, "{name}");
        assert_eq!(deck.start.map(CoreAddress::from), program.image.entry, "{name}");
    }
}

#[test]
fn the_numbers_in_the_decks() {
    let (two, _) = nearest(2.0);
    // 1.25992104989487... and 0.47942553860420..., to eleven digits.
    assert!((number::to_f64(result(NEWTON[0], "0050", two, "0051")) - 1.259_921_049_89).abs() < 1e-10);
    let (half, _) = nearest(0.5);
    assert!((number::to_f64(result(SINE[0], "0060", half, "0061")) - 0.479_425_538_60).abs() < 1e-10);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Within one unit of the last bit: the last step is x minus a small correction, rounded once.
    #[test]
    fn the_cube_root_is_right_to_its_last_bit(magnitude in -29.8f64..29.8, negative: bool) {
        let (a, value) = nearest(if negative { -magnitude.exp2() } else { magnitude.exp2() });
        let root = result(NEWTON[0], "0050", a, "0051");
        let off = units_off(root, value.cbrt());
        prop_assert!(off <= 1.0, "a = {value}: {root}, {off} units off");
    }

    /// Within three units: the losses of the last quotients, the last difference and the last product, the former two
    /// grown by the factor x, which is up to 1.57.
    #[test]
    fn the_sine_is_right_to_its_last_bits(x in -std::f64::consts::FRAC_PI_2..std::f64::consts::FRAC_PI_2) {
        prop_assume!(x.abs() > 1e-12);
        let (x, value) = nearest(x);
        let sine = result(SINE[0], "0060", x, "0061");
        let off = units_off(sine, value.sin());
        prop_assert!(off <= 3.0, "x = {value}: {sine}, {off} units off");
    }
}
