//! Round trips from words to text and back: every instruction, every way to write a word, random
//! programs, the repository's own programs; and a data file of words taken from the literature or
//! worked out by hand.

use m220_asm::{Assembly, CellKind, Disk, Image, Place, assemble, assemble_text, deck, disassemble, elf};
use m220_isa::octal_deck::OctalDeck;
use m220_isa::{Address, Code, CoreAddress, Instruction, Model, Word};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn assembled(name: &str, text: &str, model: Model) -> Assembly {
    assemble_text(name, text, model).unwrap_or_else(|e| panic!("{name}:\n{text}\n{}", e.render(false)))
}

/// The first, the last and the middle addresses of a cube.
const EDGES: [u64; 7] = [0, 1, 2, 0o3777, 0o4000, 0o7776, 0o7777];

/// Every code with all tags and the edge addresses in each field.
fn every_instruction() -> impl Iterator<Item = Instruction> {
    let fields = || EDGES.into_iter().map(Address::truncating);
    Code::all().flat_map(move |code| {
        (0..8u8).flat_map(move |tags| {
            let modify = [tags & 4 != 0, tags & 2 != 0, tags & 1 != 0];
            fields().flat_map(move |a1| {
                fields().flat_map(move |a2| fields().map(move |a3| Instruction { modify, code, a1, a2, a3 }))
            })
        })
    })
}

/// An image of instructions from cell 0001 on, as many as four cubes hold.
fn image_of(model: Model, words: &[Word]) -> Image {
    let cells = (0..0o40000).filter(|index| index % 0o10000 != 0).map(|index| CoreAddress::from_index(index).unwrap());
    let words: BTreeMap<CoreAddress, Word> = cells.zip(words.iter().copied()).collect();
    let lines = words.keys().map(|&cell| (cell, Place { file: 0, line: 1, kind: CellKind::Instruction })).collect();
    Image { model, words, lines, ..Image::default() }
}

#[test]
fn every_instruction_survives_decoding_and_the_way_to_text_and_back() {
    let words: Vec<Word> = every_instruction().map(Instruction::encode).collect();
    assert_eq!(words.len(), 64 * 8 * 7 * 7 * 7);
    for (instruction, word) in every_instruction().zip(&words) {
        assert_eq!(word.decode(), instruction);
    }
    for model in Model::ALL {
        for part in words.chunks(usize::from(model.most_cubes()) * 0o7777) {
            let image = image_of(model, part);
            assert_eq!(image.words.len(), part.len());
            let again = assembled("all", &disassemble::disassemble(&image), model).image;
            assert!(again.words == image.words, "{}", model.name());
            assert!(again.lines.values().all(|place| place.kind == CellKind::Instruction));
        }
    }
}

/// Both alphabets, both cases, and the code in digits name the same instruction.
#[test]
fn every_name_of_an_instruction_gives_its_code() {
    for model in Model::ALL {
        for row in m220_isa::opcode::rows(model) {
            let digits = format!("{:02o}", row.code.bits());
            let names = [row.latin, row.cyrillic, &row.latin.to_lowercase(), &row.cyrillic.to_lowercase(), &digits];
            for name in names {
                let text = format!("model {}\norigin 1\n{name} 1, 2[RA], 3\n", model.name());
                let word = *assembled("name", &text, model).image.words.values().next().unwrap();
                assert_eq!(word.grouped(), format!("2 {digits} 0001 0002 0003"), "{name} on the {}", model.name());
            }
        }
    }
}

/// The text of an image, assembled again, must give the same words, reserved cells, start and model.
fn text_gives_the_same_image(image: &Image) {
    let text = disassemble::disassemble(image);
    let again = assembled("again.m220", &text, Model::M220).image;
    assert_eq!(again.words, image.words, "{text}");
    assert_eq!(again.entry, image.entry, "{text}");
    assert_eq!(again.model, image.model, "{text}");
    let cells = |image: &Image| -> Vec<CoreAddress> {
        let runs = image.reserved.iter().flat_map(|(start, count)| start.index()..start.index() + count);
        runs.map(|index| CoreAddress::from_index(index).unwrap()).collect()
    };
    assert_eq!(cells(&again), cells(image), "{text}");
}

fn every_form_gives_the_same_image(image: &Image) {
    text_gives_the_same_image(image);
    assert_eq!(elf::load(&elf::write(image), 4).as_ref(), Ok(image));
    // A deck has no names and no cells beyond cube 0.
    if let Ok(written) = deck::to_deck(image) {
        let read = OctalDeck::parse(written.to_text().as_bytes()).unwrap();
        assert_eq!(read, written);
        let loaded = deck::from_deck(&read, image.model);
        assert_eq!(loaded.words, image.words);
        text_gives_the_same_image(&loaded);
    }
}

fn sources_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "m220") {
            found.push(path);
        }
    }
}

#[test]
fn every_program_of_the_repository_survives_text_image_and_deck() {
    let mut sources = Vec::new();
    sources_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../m220-programs"), &mut sources);
    // A file that others include has no origin of its own; it is tested where it is included.
    let texts: Vec<String> = sources.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let is_part = |path: &Path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut includes = texts.iter().flat_map(|text| text.lines()).filter(|line| line.contains("include"));
        includes.any(|line| line.contains(&format!("{name}\"")))
    };
    let programs: Vec<&PathBuf> = sources.iter().filter(|path| !is_part(path)).collect();
    assert!(!programs.is_empty(), "no programs were found");
    for path in programs {
        let program = assemble(path.to_str().unwrap(), &Disk::new(path.to_str().unwrap(), &[]), Model::M220);
        let program = program.unwrap_or_else(|told| panic!("{}", told.render(false)));
        every_form_gives_the_same_image(&program.image);
    }
}

/// Checks the lines of `encodings.txt`: text, `=>`, word; `model` and `origin` lines apply to those below.
#[test]
fn words_worked_out_by_others() {
    let mut checked = 0;
    let (mut model, mut origin) = ("model m220", "origin 0100");
    for (number, line) in include_str!("encodings.txt").lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        match line.split_once("=>") {
            None if line.starts_with("model ") => model = line,
            None if line.starts_with("origin ") => origin = line,
            None => panic!("line {}: no `=>` in `{line}`", number + 1),
            Some((text, word)) => {
                let text = format!("{model}\n{origin}\n{text}\n");
                let words: Vec<Word> = assembled("line", &text, Model::M220).image.words.into_values().collect();
                let expected: Word = word.trim().parse().unwrap();
                assert_eq!(words, [expected], "line {}: {line}", number + 1);
                checked += 1;
            }
        }
    }
    assert!(checked >= 40, "{checked} lines were checked");
}

fn any_word() -> impl Strategy<Value = Word> {
    prop_oneof![
        3 => (0..=Word::MASK).prop_map(Word::truncating),
        1 => (-1e6f64..1e6).prop_map(|value| m220_isa::number::from_decimal(&format!("{value}")).unwrap()),
        1 => proptest::array::uniform6(0u8..0o140).prop_map(m220_isa::text::pack),
        1 => Just(Word::ZERO),
    ]
}

fn any_kind() -> impl Strategy<Value = CellKind> {
    prop::sample::select(vec![
        CellKind::Instruction,
        CellKind::Octal,
        CellKind::Number,
        CellKind::Fields,
        CellKind::Text,
    ])
}

const NAMES: [&str; 10] =
    ["begin", "begin.next", "board", "СУММА", "d", "code", "cell", "ADD", "begin_next", "end.of_all"];

prop_compose! {
    /// Programs of a few runs of words of all kinds, with names on some cells, in all cubes of the model.
    fn any_image()(
        model in prop::sample::select(Model::ALL.to_vec()),
        runs in prop::collection::vec((1usize..0o37700, prop::collection::vec((any_word(), any_kind()), 1..20)), 1..6),
        reserved in prop::collection::vec((1usize..0o37700, 1usize..9), 0..3),
        names in prop::collection::vec((prop::sample::select(NAMES.to_vec()), 0usize..64, any::<bool>()), 0..12),
        constant in -0o7777i64..0o77777,
        start in any::<bool>(),
        lines in any::<bool>(),
    ) -> Image {
        let mut image = Image { model, ..Image::default() };
        let most = usize::from(model.most_cubes()) * 0o10000 - 0o100;
        for (from, words) in runs {
            let from = 1 + from % (most - 1);
            for (offset, (word, kind)) in words.into_iter().enumerate() {
                let cell = CoreAddress::from_index(from + offset).unwrap();
                if cell.cell() != Address::ZERO {
                    image.words.insert(cell, word);
                    image.lines.insert(cell, Place { file: 0, line: 1, kind });
                }
            }
        }
        for (from, count) in reserved {
            let from = 1 + from % (most - 1);
            let cells = from..from + count;
            let free = |index: usize| {
                let cell = CoreAddress::from_index(index).unwrap();
                !index.is_multiple_of(0o10000)
                    && !image.words.contains_key(&cell)
                    && !image.reserved.iter().any(|(start, count)| (start.index()..=start.index() + count).contains(&index))
            };
            if cells.clone().all(free) && image.reserved.keys().all(|start| !(from..=from + count).contains(&start.index())) {
                image.reserved.insert(CoreAddress::from_index(from).unwrap(), count);
            }
        }
        let cells: Vec<CoreAddress> = image.words.keys().chain(image.reserved.keys()).copied().collect();
        for (name, cell, exported) in names {
            let value = cells[cell % cells.len()].index() as i64;
            let kind = m220_asm::SymbolKind::Cell;
            image.symbols.insert(name.to_owned(), m220_asm::Symbol { value, kind, exported });
        }
        let kind = m220_asm::SymbolKind::Constant;
        image.symbols.insert("count".to_owned(), m220_asm::Symbol { value: constant, kind, exported: false });
        if start {
            image.entry = image.words.keys().next().copied();
        }
        if !lines {
            image.lines.clear();
        }
        image
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_programs_survive_text_image_and_deck(image in any_image()) {
        every_form_gives_the_same_image(&image);
    }

    #[test]
    fn a_part_of_a_program_stands_alone(image in any_image(), from in 0usize..0o40000, count in 1usize..0o20000) {
        let range = from..from + count;
        let part: BTreeMap<CoreAddress, Word> =
            image.words.iter().filter(|(cell, _)| range.contains(&cell.index())).map(|(c, w)| (*c, *w)).collect();
        prop_assume!(!part.is_empty());
        let text = disassemble::disassemble(&disassemble::part(&image, part.clone()));
        prop_assert_eq!(assembled("part", &text, Model::M220).image.words, part, "{}", text);
    }
}
