//! Any bytes as an image.

#![no_main]

use libfuzzer_sys::fuzz_target;
use m220_asm::{CUBES, assemble_text, disassemble, elf};

fuzz_target!(|bytes: &[u8]| {
    let Ok(image) = elf::load(bytes, CUBES as u8) else { return };
    assert_eq!(elf::load(&elf::write(&image), CUBES as u8).as_ref(), Ok(&image));
    // Cells 0000 hold nothing on the machine; the assembler warns of words there and keeps them.
    let text = disassemble::disassemble(&image);
    let again = assemble_text("again", &text, image.model).expect("a disassembly assembles");
    assert_eq!(again.image.words, image.words);
});
