//! Inputs designed to be expensive: time and diagnostics stay in proportion to the size of the input.

use m220_asm::{
    Diagnostics, Image, LARGEST_FILE, Loader, Symbol, SymbolKind, assemble, assemble_text, disassemble, elf, last_cell,
};
use m220_isa::{CoreAddress, Model, Word};
use m220_sentence::Sentence;
use std::fmt::Write;

fn refused(text: &str) -> Diagnostics {
    let Err(told) = assemble_text("x", text, Model::M220) else { panic!("assembled") };
    assert!(told.list.len() <= 100);
    assert!(told.render(false).len() < 200_000);
    told
}

/// A program of `count` lines after an origin and a start.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::from(" origin 100\n start 100\n");
    (0..count).for_each(|number| writeln!(text, "{}", line(number)).unwrap());
    text
}

/// Each of these took minutes when every name was compared with every other.
#[test]
fn many_names_cost_no_more_than_their_number() {
    // As many labels as one cell can have, and undefined names.
    let mut text = lines(30_000, |number| format!("label_number_{number}:"));
    (0..4_000).for_each(|number| writeln!(text, " ADD label_nmuber_{number}, 0").unwrap());
    let told = refused(&text);
    assert!(told.left_out > 3_000, "{}", told.left_out);
    assert!(told.brief().len() < 20_000, "{}", told.brief());
    assert!(told.list[0].help.as_ref().is_some_and(|help| help.to_string().contains("did you mean `label_number_")));

    // Words that are not mnemonics, over and over.
    refused(&lines(60_000, |number| format!(" ADDD{number} 1, 2, 3")));
    // One label many times, on one line.
    refused(&lines(1, |_| "a: ".repeat(300_000)));
    // What looks like a label many times, on one line.
    refused(&lines(1, |_| "a-:".repeat(300_000)));
    // One cell many times.
    refused(&lines(30_000, |_| " origin 100\n STOP".to_owned()));
    // Found again by a later stage, an error is counted once.
    let undefined: String = (0..1000).map(|number| format!(" JMP 0, name_{number}\n")).collect();
    assert_eq!(refused(&format!(" origin 100\n{undefined}")).left_out, 900);
}

#[test]
fn a_name_has_a_greatest_length() {
    let long = "x".repeat(100_000);
    let told = refused(&format!(" origin 100\n{long}: STOP\n ADD {long}y\n"));
    assert!(told.brief().contains("x:2:1: error: a name of 100000 bytes"), "{}", &told.brief()[..200]);
    assert!(told.brief().len() < 2_000);
}

#[test]
fn work_is_bounded_whatever_it_hides_behind() {
    // A hundred thousand steps, sixteen thousand times.
    let told = refused(&format!(" origin 1\n repeat 7000\n ADD {}\n end\n", "1+".repeat(100_000) + "1"));
    assert!(told.brief().contains("too long"), "{}", told.brief());
    // Arguments that double from macro to macro.
    let mut text = String::from(" macro m0 x\n STOP\n reserve x\n end\n");
    (1..15).for_each(|n| writeln!(text, " macro m{n} x\n m{} x+x-x{}\n end", n - 1, "+x-x".repeat(200)).unwrap());
    let doubled = assemble_text("x", &format!("{text} origin 100\n start 100\n m14 3\n"), Model::M220);
    assert_eq!(doubled.map_err(|told| told.brief()).map(|program| program.image.cells_used()), Ok(4));
    // Uses that double from macro to macro.
    let mut text = String::from(" macro m0\n STOP\n end\n");
    (1..16).for_each(|n| writeln!(text, " macro m{n}\n m{0}\n m{0}\n m{0}\n end", n - 1).unwrap());
    assert!(refused(&format!("{text} origin 100\n m15\n")).brief().contains("longer than 65536 lines"));
    let deep: String = (1..40)
        .fold(" macro m0\n STOP\n end\n".to_owned(), |text, n| format!("{text} macro m{n}\n m{}\n end\n", n - 1));
    assert!(refused(&format!("{deep} origin 100\n m39\n")).brief().contains("more than 16 macros use one another"));
    // A million lines.
    assert!(refused(&"\n".repeat(1_000_000)).brief().contains("longer than 65536 lines"));
    refused(&lines(1, |_| format!(" ADD {}", "1,".repeat(500_000))));
    refused(&lines(1, |_| format!(" octal {}", ",".repeat(500_000))));
}

/// A file that includes others, each as large as a file may be.
struct Bomb;

impl Loader for Bomb {
    fn load(&self, name: &str) -> Result<String, Sentence> {
        Ok(match name {
            "root" => (0..200).map(|number| format!(" include \"{number}\"\n")).collect(),
            _ => format!(";{}\n", "x".repeat(LARGEST_FILE as usize - 2)),
        })
    }
}

#[test]
fn included_files_are_bounded_together() {
    let Err(told) = assemble("root", &Bomb, Model::M220) else { panic!("assembled") };
    assert!(told.brief().contains("bytes in all files together"), "{}", told.brief());
    assert!(told.sources.files().iter().map(|file| file.text.len()).sum::<usize>() < 20 << 20);
}

/// Control characters in names, lines and text are never passed on to the terminal.
#[test]
fn nothing_that_is_said_commands_a_terminal() {
    for text in [
        " ADD \u{1b}[31mred\n",
        " text \"\u{1b}[2J\"\n",
        " model \u{9b}31m\n",
        " include \"\u{1b}]0;title\u{7}\"\n",
        "\u{1b}[1m: ADD\n",
        " octal \u{1b}\n ADD \u{8}\u{8}, 8\n",
    ] {
        let Err(told) = assemble_text("x\u{1b}[1m", text, Model::M220) else { panic!("assembled") };
        for said in [told.render(false), told.brief()] {
            assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
        }
    }
}

const SECTION: usize = 64;

/// A file of a valid ELF header, `contents`, and `sections` section headers filled in by `fill`.
fn crafted(contents: &[u8], sections: usize, fill: impl Fn(usize, &mut [u8])) -> Vec<u8> {
    let empty = assemble_text("x", "", Model::M220).unwrap().image;
    let mut bytes = elf::write(&empty)[..64].to_vec();
    bytes.extend_from_slice(contents);
    let at = bytes.len() as u64;
    for index in 0..sections {
        let mut header = [0; SECTION];
        fill(index, &mut header);
        bytes.extend_from_slice(&header);
    }
    bytes[0x28..0x30].copy_from_slice(&at.to_le_bytes());
    bytes[0x3c..0x3e].copy_from_slice(&(sections as u16).to_le_bytes());
    bytes[0x3e..0x40].copy_from_slice(&0u16.to_le_bytes());
    bytes
}

fn put(header: &mut [u8], at: usize, value: u64, length: usize) {
    header[at..at + length].copy_from_slice(&value.to_le_bytes()[..length]);
}

/// Sections and symbols whose names overlap in one long string: if each were copied, one megabyte would
/// become ten gigabytes.
#[test]
fn overlapping_names_and_sections_are_not_multiplied() {
    let mut string = vec![b'a'; 500_000];
    string.push(0);
    let length = string.len() as u64;
    let table = |header: &mut [u8], kind: u64| {
        put(header, 4, kind, 4);
        put(header, 24, 64, 8);
        put(header, 32, length, 8);
    };
    let many_names = crafted(&string, 8_000, |index, header| {
        put(header, 0, index as u64, 4);
        table(header, if index == 0 { 3 } else { 1 });
    });
    let told = elf::load(&many_names, 4).unwrap_err().to_string();
    assert_eq!(told, "section 0: its name is longer than 401 bytes");

    // Many symbol tables in the same bytes.
    let zeros = vec![0; 480_000];
    let tables = crafted(&zeros, 8_000, |index, header| {
        put(header, 24, 64, 8);
        put(header, 32, zeros.len() as u64, 8);
        put(header, 4, if index == 0 { 3 } else { 2 }, 4);
        put(header, 56, 24, 8);
    });
    let told = elf::load(&tables, 4).unwrap_err().to_string();
    assert!(
        told.starts_with("section 2: there is already a section of this kind") || told.starts_with("symbol "),
        "{told}"
    );
}

#[test]
fn constants_of_an_image_have_the_bits_of_a_word() {
    let source = " origin 100\n start here\nhere: STOP\nvalue = 5\n export value\n";
    let bytes = elf::write(&assemble_text("x", source, Model::M220).unwrap().image);
    let image = elf::load(&bytes, 4).unwrap();
    let at = bytes.windows(8).rposition(|window| window == 5u64.to_le_bytes()).unwrap();
    for value in [i64::MIN, i64::MAX, (1 << 45) + 1, -(1 << 45) - 1] {
        let mut changed = bytes.clone();
        changed[at..at + 8].copy_from_slice(&value.to_le_bytes());
        let told = elf::load(&changed, 4).unwrap_err().to_string();
        assert!(told.ends_with(&format!("`value` is {value}: a constant has at most 45 bits")), "{told}");
        // An image built in memory can hold any value; its disassembly must still assemble.
        let mut image = image.clone();
        image.symbols.get_mut("value").unwrap().value = value;
        let text = disassemble::disassemble(&image);
        assert_eq!(assemble_text("x", &text, Model::M220).unwrap().image.words, image.words);
    }
}

/// Warnings beyond the number kept do not reject a text, and an error is reported however many came before it.
#[test]
fn warnings_do_not_crowd_out_what_matters() {
    let unused: String = (0..300).map(|index| format!("unused{index}: MOV 0, 0, 0\n")).collect();
    let text = format!("origin 0010\nstart unused0\n{unused}");
    let program = assemble_text("warned.m220", &text, Model::M220);
    assert!(program.is_ok(), "{}", program.map(|_| ()).unwrap_err());
    let told = assemble_text("wrong.m220", &format!("{text}NONSENSE 1\n"), Model::M220).map(|_| ()).unwrap_err();
    assert_eq!(told.errors(), 1);
}

/// An image made by hand with cells that no machine has is written and disassembled, if to something of no use.
#[test]
fn images_made_by_hand_do_no_harm() {
    let cell = |index| CoreAddress::from_index(index).unwrap();
    for reserved in [[(0, 0), (1, usize::MAX)], [(0o100, 9), (0o101, 2)], [(0o77777, 1 << 60), (0o77776, 5)]] {
        let mut image =
            Image { reserved: reserved.map(|(index, count)| (cell(index), count)).into(), ..Image::default() };
        image.words.insert(cell(0o105), Word::ZERO);
        for (name, value, kind) in
            [("a", -1, SymbolKind::Cell), ("b", i64::MIN, SymbolKind::Cell), ("c", i64::MIN, SymbolKind::Constant)]
        {
            image.symbols.insert(name.to_owned(), Symbol { value, kind, exported: false });
        }
        assert!(elf::is_elf(&elf::write(&image)));
        assert!(disassemble::disassemble(&image).contains("model"));
        assert!(image.cells_used() > 5);
    }
    assert_eq!(last_cell(cell(1), usize::MAX), cell(1));
}
