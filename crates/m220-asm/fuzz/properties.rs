//! What must hold for any input; shared by the fuzz targets and the test that replays their corpora.

use m220_asm::{CUBES, assemble_text, disassemble, elf};
use m220_isa::Model;

/// Arbitrary text as a source: it assembles and survives the round trips through image and disassembly, or the
/// diagnostics contain no control characters.
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

/// Arbitrary bytes as an image: refused, or unchanged when written and read back, and disassembled to text that
/// assembles to the same words.
pub fn any_image(bytes: &[u8]) {
    let Ok(image) = elf::load(bytes, CUBES as u8) else { return };
    assert_eq!(elf::load(&elf::write(&image), CUBES as u8).as_ref(), Ok(&image));
    // The assembler warns of words in cells 0000, which the machine discards, but keeps them.
    let text = disassemble::disassemble(&image);
    let again = assemble_text("again", &text, image.model).expect("a disassembly assembles");
    assert_eq!(again.image.words, image.words);
}
