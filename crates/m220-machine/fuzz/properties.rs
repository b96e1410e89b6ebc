//! What must hold for any input; shared by the fuzz target and the test that replays its corpus.

use m220_isa::{Address, CoreAddress, Word};
use m220_machine::{Config, Machine, MemoryMode, Model, Registers};

/// Instructions between two comparisons.
const LIMIT: u64 = 5_000;

/// Arbitrary words in core, on any machine: the threaded interpreter agrees with the plain engine.
pub fn any_core(bytes: &[u8]) {
    let [choice, low, high, image @ ..] = bytes else { return };
    let model = Model::ALL[usize::from(choice & 3) % 3];
    let memory_mode = if choice & 4 == 0 { MemoryMode::I } else { MemoryMode::II };
    let config = Config { model, cubes: (choice >> 3 & 3) + 1, memory_mode }.nearest();
    let mut machine = Machine::new(config);
    for (index, word) in image.chunks(8).take(usize::from(config.cubes) * 4096 - 1).enumerate() {
        let mut bits = [0; 8];
        bits[..word.len()].copy_from_slice(word);
        let at = CoreAddress::from_index(index + 1).expect("core is smaller than the addresses");
        machine.set_core(at, Word::truncating(u64::from_le_bytes(bits))).expect("the cube is fitted");
    }
    machine.start(Address::truncating(u64::from(u16::from_le_bytes([*low, *high]))));
    let mut plain = machine.clone();
    // Continue past the first stops, so that a halt does not end the test.
    for _ in 0..4 {
        assert_eq!(machine.run(LIMIT), plain.run_plain(LIMIT));
        assert_eq!(machine.registers(), plain.registers());
        assert_eq!(machine.clock(), plain.clock());
        let next = Registers { rvk: machine.registers().rvk.offset(1), ..machine.registers() };
        machine.set_registers(&next);
        plain.set_registers(&next);
    }
    assert!(machine.core_words().eq(plain.core_words()));
}
