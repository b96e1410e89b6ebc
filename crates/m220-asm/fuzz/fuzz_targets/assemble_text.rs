//! Any text as a source.

#![no_main]

use libfuzzer_sys::fuzz_target;
use m220_asm::{CUBES, assemble_text, disassemble, elf};
use m220_isa::Model;

fuzz_target!(|text: &str| {
    match assemble_text("text", text, Model::M220) {
        Ok(program) => {
            let _ = program.listing();
            assert_eq!(elf::load(&elf::write(&program.image), CUBES as u8).as_ref(), Ok(&program.image));
            let again = disassemble::disassemble(&program.image);
            let again = assemble_text("again", &again, Model::M220).expect("a disassembly assembles");
            assert_eq!(again.image.words, program.image.words);
        }
        Err(diagnostics) => {
            let _ = diagnostics.render(false);
            let _ = diagnostics.brief();
        }
    }
});
