//! ELF images: other tools can open them, and the loader refuses damaged ones.

use m220_asm::{Image, assemble_text, elf};
use m220_isa::{CoreAddress, Model};
use proptest::prelude::*;
use std::process::Command;

/// A program that sums squares, with words in another cube.
const SUM: &str = concat!(
    include_str!("sum.m220"),
    "        origin  20300\n",
    "        octal   7 77 7777 7777 7777, 0 00 0000 0000 0001\n",
);

fn image() -> Image {
    assemble_text("sum.m220", SUM, Model::M220).unwrap_or_else(|e| panic!("{}", e.render(false))).image
}

#[test]
fn an_image_comes_back_whole() {
    let image = image();
    assert_eq!(elf::load(&elf::write(&image), 4).unwrap(), image);
    assert_eq!(image.cell("begin").unwrap().to_string(), "0100");
    assert_eq!(image.cell("begin.next").unwrap().to_string(), "0102");
    assert_eq!(image.constant("count").unwrap(), 10);
    assert_eq!(image.words[&"0104".parse::<CoreAddress>().unwrap()].grouped(), "1 12 0011 0102 0001");
}

#[test]
fn readelf_and_objdump_open_it_without_a_word_of_complaint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sum.elf");
    std::fs::write(&path, elf::write(&image())).unwrap();
    for (program, option) in [("readelf", "-a"), ("objdump", "-s")] {
        let Ok(output) = Command::new(program).arg(option).arg(&path).output() else {
            eprintln!("{program} is not installed: not tried");
            continue;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        let complaint = text.lines().find(|line| line.contains("Warning") || line.contains("Error"));
        assert_eq!(complaint, None, "{program}");
        println!("{text}");
    }
}

// ---- what the loader refuses ----

/// Offsets of the fields of the file header and of the first program header.
mod at {
    pub const CLASS: usize = 4;
    pub const BYTE_ORDER: usize = 5;
    pub const VERSION: usize = 6;
    pub const TYPE: usize = 16;
    pub const MACHINE: usize = 18;
    pub const ENTRY: usize = 24;
    pub const SEGMENTS: usize = 32;
    pub const SECTIONS: usize = 40;
    pub const FLAGS: usize = 48;
    pub const SEGMENT_SIZE: usize = 54;
    pub const SEGMENT_COUNT: usize = 56;
    pub const SECTION_SIZE: usize = 58;
    pub const SECTION_COUNT: usize = 60;
    pub const NAMES: usize = 62;
    pub const FIRST: usize = 64;
    pub const KIND: usize = FIRST;
    pub const OFFSET: usize = FIRST + 8;
    pub const ADDRESS: usize = FIRST + 16;
    pub const FILE_SIZE: usize = FIRST + 32;
    pub const CORE_SIZE: usize = FIRST + 40;
    /// One program header.
    pub const STEP: usize = 56;
}

/// A copy of the file with some bytes replaced.
fn with(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut copy = file.to_vec();
    copy[at..at + bytes.len()].copy_from_slice(bytes);
    copy
}

fn u64_at(file: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(file[at..at + 8].try_into().unwrap())
}

#[test]
fn each_kind_of_damage_is_refused_with_its_reason() {
    let file = elf::write(&image());
    let wide = |value: u64| value.to_le_bytes();
    let first_word = u64_at(&file, at::OFFSET) as usize;
    let first_address = u64_at(&file, at::ADDRESS);
    let second = at::ADDRESS + at::STEP;
    let cases: Vec<(&str, Vec<u8>, u8)> = vec![
        ("empty", vec![], 4),
        ("text", b"origin 0100\n".to_vec(), 4),
        ("the first bytes alone", file[..5].to_vec(), 4),
        ("32-bit class", with(&file, at::CLASS, &[1]), 4),
        ("big-endian", with(&file, at::BYTE_ORDER, &[2]), 4),
        ("ELF version", with(&file, at::VERSION, &[9]), 4),
        ("relocatable", with(&file, at::TYPE, &[1, 0]), 4),
        ("x86-64", with(&file, at::MACHINE, &[62, 0]), 4),
        ("unknown model", with(&file, at::FLAGS, &[3]), 4),
        ("bit 46", with(&file, first_word, &wide(1 << 45)), 4),
        ("bit 64", with(&file, first_word + 8, &wide(1 << 63)), 4),
        ("address between words", with(&file, at::ADDRESS, &wide(first_address + 4)), 4),
        ("size between words", with(&file, at::FILE_SIZE, &wide(7)), 4),
        ("core size between words", with(&file, at::CORE_SIZE, &wide(9)), 4),
        ("more in core than in the file", with(&file, at::CORE_SIZE, &wide(8 * 4000)), 4),
        ("beyond the last cube", with(&file, at::ADDRESS, &wide(8 * 0o40000)), 4),
        ("in a cube that is not fitted", file.clone(), 2),
        ("at the end of all addresses", with(&file, at::ADDRESS, &wide(u64::MAX - 7)), 4),
        ("across a cube's end", with(&file, at::ADDRESS, &wide(8 * 0o7777)), 4),
        ("onto another segment", with(&file, second, &wide(first_address)), 4),
        ("not loadable", with(&file, at::KIND, &[4]), 4),
        ("contents beyond the end", with(&file, at::OFFSET, &wide(1 << 40)), 4),
        ("contents at the end of all offsets", with(&file, at::OFFSET, &wide(u64::MAX)), 4),
        ("huge and whole", with(&with(&file, at::FILE_SIZE, &wide(1 << 62)), at::CORE_SIZE, &wide(1 << 62)), 4),
        ("start between words", with(&file, at::ENTRY, &wide(0o1001)), 4),
        ("start beyond core", with(&file, at::ENTRY, &wide(8 * 0o40000)), 4),
        ("program headers nowhere", with(&file, at::SEGMENTS, &wide(u64::MAX - 8)), 4),
        ("65535 program headers", with(&file, at::SEGMENT_COUNT, &[0xff, 0xff]), 4),
        ("small program headers", with(&file, at::SEGMENT_SIZE, &[32, 0]), 4),
        ("section headers nowhere", with(&file, at::SECTIONS, &wide(u64::MAX - 8)), 4),
        ("65535 section headers", with(&file, at::SECTION_COUNT, &[0xff, 0xff]), 4),
        ("small section headers", with(&file, at::SECTION_SIZE, &[40, 0]), 4),
        ("no section of names", with(&file, at::NAMES, &[0xee, 0xee]), 4),
    ];
    let mut reasons = String::new();
    for (what, bytes, cubes) in cases {
        let reason = elf::load(&bytes, cubes).expect_err(what);
        reasons.push_str(&format!("{what}: {reason}\n"));
    }
    insta::assert_snapshot!(reasons);
}

/// Damage to the sections after the words: lines, files, names.
#[test]
fn damaged_sections_are_refused() {
    let file = elf::write(&image());
    let count = u16::from_le_bytes(file[at::SECTION_COUNT..at::SECTION_COUNT + 2].try_into().unwrap()) as usize;
    let sections = u64_at(&file, at::SECTIONS) as usize;
    // From the end: names of sections, names of symbols, symbols, files, lines.
    let header = |back: usize| sections + 64 * (count - back);
    let contents = |back: usize| u64_at(&file, header(back) + 24) as usize;
    let wide = |value: u64| value.to_le_bytes();
    let mut reasons = String::new();
    for (what, bytes) in [
        ("lines of an odd size", with(&file, header(5) + 32, &wide(15))),
        ("a line of no cell", with(&file, contents(5), &[0xff; 4])),
        ("a line of no kind", with(&file, contents(5) + 12, &[0xff; 4])),
        ("a file name that does not end", with(&file, contents(4), &[0xff; 4])),
        ("a file that is not text", with(&file, contents(4) + 8, &[0xff])),
        ("symbols of another size", with(&file, header(3) + 56, &wide(16))),
        ("symbols without names", with(&file, header(3) + 40, &[0xee])),
        ("a name outside the table", with(&file, contents(3) + 24, &[0xff, 0xff])),
        ("a symbol between cells", with(&file, contents(3) + 24 + 8, &[1])),
        ("a function", with(&file, contents(3) + 24 + 4, &[2])),
        ("one name twice", with(&file, contents(3) + 24, &file[contents(3) + 48..contents(3) + 52])),
        ("section names elsewhere", with(&file, header(3), &[0xff, 0xff])),
        ("a section beyond the end", with(&file, header(2) + 24, &wide(1 << 50))),
    ] {
        let reason = elf::load(&bytes, 4).expect_err(what);
        reasons.push_str(&format!("{what}: {reason}\n"));
    }
    insta::assert_snapshot!(reasons);
}

#[test]
fn a_file_cut_short_at_any_byte_is_refused() {
    let file = elf::write(&image());
    for length in 0..file.len() {
        assert!(elf::load(&file[..length], 4).is_err(), "the first {length} of {} bytes", file.len());
    }
}

/// An unaligned buffer gives the same image; its slots are copied.
#[test]
fn alignment_does_not_matter() {
    let file = elf::write(&image());
    let mut shifted = vec![0; 3];
    shifted.extend_from_slice(&file);
    assert_eq!(elf::load(&shifted[3..], 4).unwrap(), image());
}

proptest! {
    #[test]
    fn no_bytes_panic_the_loader(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = elf::load(&bytes, 4);
        let with_magic: Vec<u8> = elf::write(&Image::default())[..20].iter().copied().chain(bytes).collect();
        let _ = elf::load(&with_magic, 4);
    }

    /// With a few bytes changed anywhere, a file is refused or loads to an image that survives a round trip.
    #[test]
    fn no_damage_panics_the_loader(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut file = elf::write(&image());
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if let Ok(image) = elf::load(&file, 4) {
            prop_assert_eq!(elf::load(&elf::write(&image), 4), Ok(image));
        }
    }

    #[test]
    fn no_text_panics_the_assembler(text in "\\PC{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = assemble_text("any", &text, Model::M220);
        let _ = assemble_text("any", &String::from_utf8_lossy(&bytes), Model::M20);
    }

    /// Texts made of pieces of the language get further than noise does.
    #[test]
    fn no_mixture_of_pieces_panics_the_assembler(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60),
    ) {
        let text = pieces.concat();
        match assemble_text("any", &text, Model::M220) {
            Ok(program) => {
                let _ = program.listing();
                prop_assert_eq!(elf::load(&elf::write(&program.image), 4), Ok(program.image));
            }
            Err(told) => {
                prop_assert!(told.errors() > 0 || told.left_out > 0);
                prop_assert!(!told.render(false).is_empty() && !told.brief().is_empty());
            }
        }
    }
}

const PIECES: [&str; 52] = [
    "\n",
    "\n",
    "\n",
    "\r\n",
    " ",
    " ",
    "\t",
    ";",
    ":",
    ",",
    ",",
    "=",
    "+",
    "-",
    "*",
    "(",
    ")",
    "[RA]",
    "[",
    "\"",
    "\\",
    ".",
    ".a",
    "a",
    "b",
    "a:",
    ".a:",
    "b:",
    "origin 0100\n",
    "origin ",
    "start a\n",
    "reserve 2\n",
    "reserve ",
    "repeat 3\n",
    "end\n",
    "export a\n",
    "octal 1 01 4000 0000 0000\n",
    "octal ",
    "number 1, -2.5\n",
    "number ",
    "fields code 16 a, 2, 3\n",
    "fields ",
    "text \"ШАХ\"\n",
    "text \"",
    "include \"any\"\n",
    "ADD a, b, 3\n",
    "MOV ",
    "56 0, a\n",
    "СТОП\n",
    "7777",
    "10d",
    "cell(",
];
