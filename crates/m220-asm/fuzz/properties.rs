//! What holds of any input: for the fuzzer, and for the test that replays its corpora.

use m220_asm::{CUBES, assemble_text, disassemble, elf};
use m220_isa::Model;

/// Any text as a source: it assembles and survives the way to an image, to text and back, or what is wrong is said.
pub fn any_text(text: &str) {
    match assemble_text("text", text, Model::M220) {
        Ok(program) => {
            let _ = program.listing();
            assert_eq!(elf::load(&elf::write(&program.image), CUBES as u8).as_ref(), Ok(&program.image));
            let again = disassemble::disassemble(&program.image);
            let again = assemble_text("again", &again, Model::M220).expect("a disassembly assembles");
            assert_eq!(again.image.words, program.image.words);
        }
        Err(diagnostics) => {
            let told = diagnostics.render(false) + &diagnostics.brief();
            assert!(!told.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{told:?}");
        }
    }
}

/// Any bytes as an image: refused, or written and read back the same, and disassembled to text that gives the same words.
pub fn any_image(bytes: &[u8]) {
    let Ok(image) = elf::load(bytes, CUBES as u8) else { return };
    assert_eq!(elf::load(&elf::write(&image), CUBES as u8).as_ref(), Ok(&image));
    // Cells 0000 hold nothing on the machine; the assembler warns of words there and keeps them.
    let text = disassemble::disassemble(&image);
    let again = assemble_text("again", &text, image.model).expect("a disassembly assembles");
    assert_eq!(again.image.words, image.words);
}
