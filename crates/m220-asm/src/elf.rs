//! Images as ELF files: 64-bit, little-endian, with eight bytes (a slot) for each 45-bit word.
//!
//! ```text
//! ELF header             machine type EM_M220, flags = the model, entry = 8 x the start cell (0: none)
//! program headers        one loadable segment for each run of cells and for each run of reserved cells
//! words                  eight bytes each, bits 46 to 64 zero
//! .m220.lines            four 32-bit integers for each word: cell, file, line, how it was written
//! .m220.files            name and text of each source file, preceded by their lengths
//! .symtab .strtab        cells are OBJECT symbols, constants ABS; exported names GLOBAL, the others LOCAL
//! .shstrtab, section headers
//! ```
//!
//! The ELF address of cell c of cube k is 8 x (4096 k + c).

use crate::expression::LARGEST_VALUE;
use crate::image::{CellKind, CellRun, Image, Place, Symbol, SymbolKind};
use crate::source::SourceFile;
use crate::spelling;
use goblin::container::{Container, Ctx};
use goblin::elf::header::{self, Header};
use goblin::elf::program_header::{PF_R, PF_W, PF_X, PT_LOAD, ProgramHeader};
use goblin::elf::section_header::{
    SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHN_ABS, SHT_NOBITS, SHT_NULL, SHT_PROGBITS, SHT_STRTAB, SHT_SYMTAB,
    SectionHeader,
};
use goblin::elf::sym::{STB_GLOBAL, STB_LOCAL, STT_NOTYPE, STT_OBJECT, Sym};
use m220_isa::{Address, CoreAddress, Model, Word};
use m220_sentence::{Sentence, cause, sentence};
use scroll::{Endian, Pread, Pwrite};
use std::collections::{BTreeMap, HashSet};

/// The ELF machine type of these images: an unregistered private number.
pub const EM_M220: u16 = 0x0220;

/// Bytes in a word's slot; an ELF address is the cell's index times this.
const SLOT: u64 = 8;
const CUBE_CELLS: u64 = Address::CELLS as u64;
const HEADER_SIZE: usize = 64;
const SEGMENT_SIZE: usize = 56;
const SECTION_SIZE: usize = 64;
const SYMBOL_SIZE: usize = 24;
const LINE_SIZE: usize = 16;

/// The longest name of a section or symbol, in bytes: a label's name, a dot, and a local name. Names may
/// overlap in a string table, so without a limit a small file could contain many huge ones.
const LONGEST_NAME: usize = 2 * spelling::LONGEST_NAME + 1;

const LINES: &str = ".m220.lines";
const FILES: &str = ".m220.files";

fn context() -> Ctx {
    Ctx::new(Container::Big, Endian::Little)
}

/// What is wrong with a segment, a section or a symbol.
fn part_error(what: &'static str, index: usize, reason: impl ToString) -> Sentence {
    sentence!("{what} {index}: {reason}", what = Sentence::from(what), index, reason = reason.to_string())
}

/// A field of a header that has another value than it should.
fn field_error(what: &'static str, found: u64, expected: &'static str) -> Sentence {
    let what = Sentence::from(what);
    sentence!("{what} is {found}, expected {expected}", what, found = format!("{found:#x}"), expected)
}

// ---- writing ----

/// A run of cells to be written as a segment and a section; without words if it is reserved.
struct Segment {
    start: CoreAddress,
    cells: usize,
    words: Option<Vec<u64>>,
}

fn segments(image: &Image) -> Vec<Segment> {
    let words = image.runs().into_iter().map(|CellRun { start, words }| Segment {
        start,
        cells: words.len(),
        words: Some(words.into_iter().map(Word::bits).map(u64::to_le).collect()),
    });
    let reserved = image.reserved.iter().map(|(&start, &cells)| Segment { start, cells, words: None });
    let mut all: Vec<Segment> = words.chain(reserved).collect();
    all.sort_by_key(|segment| segment.start);
    all
}

/// Adds a name to a string table, whose names stand one after another, each terminated by a zero byte. Returns its place.
fn add_name(strings: &mut Vec<u8>, name: &str) -> usize {
    let at = strings.len();
    strings.extend_from_slice(name.as_bytes());
    strings.push(0);
    at
}

/// The file being written: its bytes, its section headers, and their names.
struct Writer {
    bytes: Vec<u8>,
    sections: Vec<SectionHeader>,
    names: Vec<u8>,
}

impl Writer {
    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(SLOT as usize), 0);
    }

    /// Appends a section's contents and records its header; returns its index.
    fn section(&mut self, name: &str, contents: &[u8], header: SectionHeader) -> usize {
        self.align();
        let offset = self.bytes.len() as u64;
        self.bytes.extend_from_slice(contents);
        let sh_size = if header.sh_type == SHT_NOBITS { header.sh_size } else { contents.len() as u64 };
        let sh_name = add_name(&mut self.names, name);
        self.sections.push(SectionHeader { sh_name, sh_offset: offset, sh_size, sh_addralign: 8, ..header });
        self.sections.len() - 1
    }
}

/// Writes one of goblin's structures at `at`; the buffer has room for it by construction.
fn put<C: Copy, T>(bytes: &mut [u8], at: usize, value: T, context: C)
where
    T: scroll::ctx::TryIntoCtx<C, [u8], Error = goblin::error::Error>,
{
    let written = bytes.pwrite_with(value, at, context);
    debug_assert!(written.is_ok(), "room was made for every header");
}

/// The image as an ELF file.
#[must_use]
pub fn write(image: &Image) -> Vec<u8> {
    let segments = segments(image);
    let mut writer = Writer {
        bytes: vec![0; HEADER_SIZE + SEGMENT_SIZE * segments.len()],
        sections: vec![SectionHeader { sh_addralign: 0, ..SectionHeader::default() }],
        names: vec![0],
    };
    for (index, segment) in segments.iter().enumerate() {
        write_segment(&mut writer, index, segment);
    }
    write_lines(&mut writer, image);
    write_symbols(&mut writer, image, &segments);
    // The last section must contain its own name too.
    let contents = [&writer.names[..], b".shstrtab\0"].concat();
    let header = SectionHeader { sh_type: SHT_STRTAB, ..SectionHeader::default() };
    let shstrndx = writer.section(".shstrtab", &contents, header);
    writer.align();
    let sections_at = writer.bytes.len();
    writer.bytes.resize(sections_at + SECTION_SIZE * writer.sections.len(), 0);
    let count = writer.sections.len();
    for (index, section) in writer.sections.into_iter().enumerate() {
        put(&mut writer.bytes, sections_at + SECTION_SIZE * index, section, context());
    }
    let header = Header {
        e_type: header::ET_EXEC,
        e_machine: EM_M220,
        e_entry: image.entry.map_or(0, |entry| SLOT * entry.index() as u64),
        e_phoff: if segments.is_empty() { 0 } else { HEADER_SIZE as u64 },
        e_shoff: sections_at as u64,
        e_flags: image.model as u32,
        e_phnum: segments.len() as u16,
        e_shnum: count as u16,
        e_shstrndx: shstrndx as u16,
        ..Header::new(context())
    };
    put(&mut writer.bytes, 0, header, Endian::Little);
    writer.bytes
}

fn write_segment(writer: &mut Writer, index: usize, segment: &Segment) {
    let address = SLOT * segment.start.index() as u64;
    let size = SLOT.saturating_mul(segment.cells as u64);
    let (kind, name) = match segment.words {
        Some(_) => (SHT_PROGBITS, format!(".core.{}", segment.start)),
        None => (SHT_NOBITS, format!(".reserved.{}", segment.start)),
    };
    let words = segment.words.as_deref().unwrap_or(&[]);
    let flags = u64::from(SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR);
    let header =
        SectionHeader { sh_type: kind, sh_flags: flags, sh_addr: address, sh_size: size, ..SectionHeader::default() };
    let section = writer.section(&name, bytemuck::cast_slice(words), header);
    let header = ProgramHeader {
        p_type: PT_LOAD,
        p_flags: PF_R | PF_W | PF_X,
        p_offset: writer.sections[section].sh_offset,
        p_vaddr: address,
        p_paddr: address,
        p_filesz: SLOT * words.len() as u64,
        p_memsz: size,
        p_align: SLOT,
    };
    put(&mut writer.bytes, HEADER_SIZE + SEGMENT_SIZE * index, header, context());
}

fn write_lines(writer: &mut Writer, image: &Image) {
    let records: Vec<[u32; 4]> = image
        .lines
        .iter()
        .map(|(cell, place)| [cell.index() as u32, place.file, place.line, place.kind as u32].map(u32::to_le))
        .collect();
    let header = SectionHeader { sh_type: SHT_PROGBITS, sh_entsize: LINE_SIZE as u64, ..SectionHeader::default() };
    writer.section(LINES, bytemuck::cast_slice(&records), header);
    let mut files = Vec::new();
    for file in &image.files {
        files.extend_from_slice(&(file.name.len() as u32).to_le_bytes());
        files.extend_from_slice(&(file.text.len() as u32).to_le_bytes());
        files.extend_from_slice(file.name.as_bytes());
        files.extend_from_slice(file.text.as_bytes());
    }
    writer.section(FILES, &files, SectionHeader { sh_type: SHT_PROGBITS, ..SectionHeader::default() });
}

fn write_symbols(writer: &mut Writer, image: &Image, segments: &[Segment]) {
    let mut strings = vec![0];
    let mut symbols = vec![Sym::default()];
    // ELF requires local symbols to come first.
    let (global, local): (Vec<_>, Vec<_>) = image.symbols.iter().partition(|(_, symbol)| symbol.exported);
    let locals = 1 + local.len();
    for (name, symbol) in local.into_iter().chain(global) {
        let st_name = add_name(&mut strings, name);
        symbols.push(Sym { st_name, ..elf_symbol(symbol, segments) });
    }
    let mut bytes = vec![0; SYMBOL_SIZE * symbols.len()];
    for (index, symbol) in symbols.into_iter().enumerate() {
        put(&mut bytes, SYMBOL_SIZE * index, symbol, context());
    }
    let link = writer.sections.len() + 1;
    let header = SectionHeader {
        sh_type: SHT_SYMTAB,
        sh_link: link as u32,
        sh_info: locals as u32,
        sh_entsize: SYMBOL_SIZE as u64,
        ..SectionHeader::default()
    };
    writer.section(".symtab", &bytes, header);
    writer.section(".strtab", &strings, SectionHeader { sh_type: SHT_STRTAB, ..SectionHeader::default() });
}

fn elf_symbol(symbol: &Symbol, segments: &[Segment]) -> Sym {
    let bind = if symbol.exported { STB_GLOBAL } else { STB_LOCAL };
    let (kind, section, value) = match symbol.kind {
        SymbolKind::Constant => (STT_NOTYPE, SHN_ABS as usize, symbol.value as u64),
        SymbolKind::Cell => {
            let holds = |s: &Segment| {
                (s.start.index()..s.start.index().saturating_add(s.cells)).contains(&(symbol.value as usize))
            };
            let section = segments.iter().position(holds).map_or(SHN_ABS as usize, |index| index + 1);
            (STT_OBJECT, section, SLOT.wrapping_mul(symbol.value as u64))
        }
    };
    Sym { st_info: bind << 4 | kind, st_shndx: section, st_value: value, ..Sym::default() }
}

/// The kinds, by their numbers in the file.
const KINDS: [CellKind; 5] =
    [CellKind::Instruction, CellKind::Octal, CellKind::Number, CellKind::Fields, CellKind::Text];

// ---- reading ----

const NOT_ELF: &str = "not an ELF file: it does not begin with 7F 45 4C 46";

/// Whether bytes look like an ELF file at all.
#[must_use]
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(header::ELFMAG)
}

/// Reads an image for a machine with `cubes` cubes of core; more than its model has count as those.
///
/// # Errors
/// The image is not complete and consistent, or goes beyond these cubes.
pub fn load(bytes: &[u8], cubes: u8) -> Result<Image, Sentence> {
    let header = read_header(bytes)?;
    let model = Model::ALL.get(header.e_flags as usize).copied();
    let model =
        model.ok_or_else(|| field_error("the model", header.e_flags.into(), "0 (m220), 1 (m20) or 2 (itep)"))?;
    let cubes = cubes.min(model.most_cubes());
    let mut image = Image { model, ..Image::default() };
    read_segments(bytes, &header, cubes, &mut image)?;
    image.entry = read_entry(header.e_entry, cubes)?;
    let sections = read_sections(bytes, &header)?;
    let mut read = HashSet::new();
    for (index, (name, section, contents)) in sections.iter().enumerate() {
        let kind = if section.sh_type == SHT_SYMTAB { "symbols" } else { name };
        // Sections may overlap, so many sections of a kind could be read from the same bytes.
        if [LINES, FILES, "symbols"].contains(&kind) && !read.insert(kind) {
            return Err(part_error("section", index, "there is already a section of this kind"));
        }
        match *name {
            LINES => image.lines = read_lines(index, contents)?,
            FILES => image.files = read_files(index, contents)?,
            _ if section.sh_type == SHT_SYMTAB => {
                let strings = sections.get(section.sh_link as usize).filter(|(_, s, _)| s.sh_type == SHT_STRTAB);
                let strings = strings.map(|(_, _, contents)| *contents);
                let missing = || part_error("section", index, "its string table is missing");
                image.symbols = read_symbols(index, section, contents, strings.ok_or_else(missing)?)?;
            }
            _ => {}
        }
    }
    Ok(image)
}

fn part(bytes: &[u8], name: impl Into<String>, offset: u64, size: u64) -> Result<&[u8], Sentence> {
    let end = offset.checked_add(size);
    let found = end.filter(|end| *end <= bytes.len() as u64).map(|end| &bytes[offset as usize..end as usize]);
    found.ok_or_else(|| {
        let (part, end, size): (String, _, _) =
            (name.into(), end.unwrap_or(u64::MAX).to_string(), bytes.len().to_string());
        sentence!("the file is cut short: {part} should reach byte {end}, the file has {size}", part, end, size)
    })
}

fn read_header(bytes: &[u8]) -> Result<Header, Sentence> {
    if !is_elf(bytes) {
        return Err(NOT_ELF.into());
    }
    let raw = part(bytes, "the header", 0, HEADER_SIZE as u64)?;
    let expect = |what, found: u64, wanted: u64, expected| {
        if found == wanted { Ok(()) } else { Err(field_error(what, found, expected)) }
    };
    expect("the class", raw[header::EI_CLASS].into(), header::ELFCLASS64.into(), "2 (64-bit)")?;
    expect("the byte order", raw[header::EI_DATA].into(), header::ELFDATA2LSB.into(), "1 (little-endian)")?;
    expect("the ELF version", raw[header::EI_VERSION].into(), 1, "1")?;
    let read = raw.pread_with::<goblin::elf64::header::Header>(0, Endian::Little);
    let read: Header = read.map_err(|_| NOT_ELF)?.into();
    expect("the machine type", read.e_machine.into(), EM_M220.into(), "0x220 (M-220)")?;
    expect("the file type", read.e_type.into(), header::ET_EXEC.into(), "2 (executable)")?;
    if read.e_phnum > 0 {
        expect("the size of a program header", read.e_phentsize.into(), SEGMENT_SIZE as u64, "56")?;
    }
    if read.e_shnum > 0 {
        expect("the size of a section header", read.e_shentsize.into(), SECTION_SIZE as u64, "64")?;
    }
    Ok(read)
}

fn read_segments(bytes: &[u8], header: &Header, cubes: u8, image: &mut Image) -> Result<(), Sentence> {
    let count = usize::from(header.e_phnum);
    let table = part(bytes, "the program headers", header.e_phoff, (SEGMENT_SIZE * count) as u64)?;
    let headers = ProgramHeader::parse(table, 0, count, context()).map_err(|e| part_error("segment", 0, e))?;
    let mut owners: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    for (segment, header) in headers.iter().enumerate() {
        let (start, cells) = check_segment(segment, header, cubes)?;
        if cells == 0 {
            continue;
        }
        let before = owners.range(..start + cells).next_back().map(|(s, (c, first))| (*s, *c, *first));
        if let Some((first_start, first_cells, first)) = before
            && first_start + first_cells > start
        {
            let (second, cell) = (segment, core_address(start.max(first_start)).to_string());
            return Err(sentence!("segments {first} and {second} both hold cell {cell}", first, second, cell));
        }
        owners.insert(start, (cells, segment));
        if header.p_filesz == 0 {
            image.reserved.insert(core_address(start), cells as usize);
            continue;
        }
        let slots = part(bytes, format!("segment {segment}"), header.p_offset, header.p_filesz)?;
        for (cell, slot) in (start..).map(core_address).zip(slots.as_chunks().0) {
            let word = Word::new(u64::from_le_bytes(*slot)).map_err(|error| {
                let (cell, error) = (cell.to_string(), cause(error));
                sentence!("cell {cell}: {error}: bits 46 to 64 must be zero", cell, error)
            })?;
            image.words.insert(cell, word);
        }
    }
    Ok(())
}

fn core_address(cell: u64) -> CoreAddress {
    // The caller has checked that there are at most four cubes.
    CoreAddress::from_index(cell as usize).unwrap_or_default()
}

/// The first cell and the number of cells of a valid segment.
fn check_segment(segment: usize, header: &ProgramHeader, cubes: u8) -> Result<(u64, u64), Sentence> {
    let wrong = |reason: String| part_error("segment", segment, reason);
    if header.p_type != PT_LOAD {
        return Err(wrong(format!("type {:#x}, expected a loadable one", header.p_type)));
    }
    for (what, value) in [("address", header.p_vaddr), ("size", header.p_memsz), ("size in the file", header.p_filesz)]
    {
        if value % SLOT != 0 {
            return Err(wrong(format!("{what} {value:#x} is not a multiple of 8: a word has eight bytes")));
        }
    }
    if header.p_filesz != header.p_memsz && header.p_filesz != 0 {
        let (file, memory) = (header.p_filesz, header.p_memsz);
        return Err(wrong(format!("{file:#x} bytes in the file for {memory:#x} in core: all or none are expected")));
    }
    let start = header.p_vaddr / SLOT;
    let cells = header.p_memsz / SLOT;
    let limit = u64::from(cubes) * CUBE_CELLS;
    // Both are below 2^61: no overflow.
    if start + cells > limit {
        let [last, limit] = [start + cells, limit].map(|end| format!("{:o}", end.saturating_sub(1)));
        return Err(sentence!(
            "segment {segment} reaches cell {last}: the machine has {cubes} cube(s), cells up to {limit}",
            segment,
            last,
            cubes,
            limit
        ));
    }
    if cells > 0 && start / CUBE_CELLS != (start + cells - 1) / CUBE_CELLS {
        return Err(wrong("it crosses from one cube into the next".to_owned()));
    }
    Ok((start, cells))
}

fn read_entry(entry: u64, cubes: u8) -> Result<Option<CoreAddress>, Sentence> {
    if entry == 0 {
        return Ok(None);
    }
    if !entry.is_multiple_of(SLOT) || entry / SLOT >= u64::from(cubes) * CUBE_CELLS {
        return Err(sentence!("the entry {entry} is not a cell of the machine", entry = format!("{entry:#x}")));
    }
    Ok(Some(core_address(entry / SLOT)))
}

type ElfSection<'a> = (&'a str, SectionHeader, &'a [u8]);

fn read_sections<'a>(bytes: &'a [u8], header: &Header) -> Result<Vec<ElfSection<'a>>, Sentence> {
    let count = usize::from(header.e_shnum);
    if count == 0 {
        return Ok(Vec::new());
    }
    let table = part(bytes, "the section headers", header.e_shoff, (SECTION_SIZE * count) as u64)?;
    let headers = SectionHeader::parse_from(table, 0, count, context()).map_err(|e| part_error("section", 0, e))?;
    let mut sections = Vec::with_capacity(count);
    for (section, header) in headers.into_iter().enumerate() {
        let empty = matches!(header.sh_type, SHT_NULL | SHT_NOBITS);
        let size = if empty { 0 } else { header.sh_size };
        let offset = if empty { 0 } else { header.sh_offset };
        let contents = part(bytes, format!("section {section}"), offset, size)?;
        sections.push(("", header, contents));
    }
    let names = usize::from(header.e_shstrndx);
    let names = sections.get(names).map(|(_, _, contents)| *contents);
    let names = names
        .ok_or_else(|| field_error("the section of the names", header.e_shstrndx.into(), "the index of a section"))?;
    for (index, section) in sections.iter_mut().enumerate() {
        let reason = |reason: String| part_error("section", index, reason);
        section.0 = string(names, section.1.sh_name).map_err(reason)?;
    }
    Ok(sections)
}

/// The string that begins at `at` in a string table.
fn string(table: &[u8], at: usize) -> Result<&str, String> {
    let rest = table.get(at..).ok_or_else(|| format!("its name lies at byte {at}, outside the table"))?;
    let rest = &rest[..rest.len().min(LONGEST_NAME + 1)];
    let end = rest.iter().position(|byte| *byte == 0).ok_or_else(|| match rest.len() > LONGEST_NAME {
        true => format!("its name is longer than {LONGEST_NAME} bytes"),
        false => "its name is not terminated".to_owned(),
    })?;
    std::str::from_utf8(&rest[..end]).map_err(|_| "its name is not UTF-8".to_owned())
}

/// A name for a message: cut to a readable length, control characters escaped.
fn quoted(name: &str) -> String {
    let cut = if name.chars().nth(LONGEST_QUOTE).is_some() { "..." } else { "" };
    let start: String = name.chars().take(LONGEST_QUOTE).collect();
    format!("`{}{cut}`", start.escape_debug())
}

/// The most characters of a name to quote.
const LONGEST_QUOTE: usize = 60;

fn read_lines(section: usize, contents: &[u8]) -> Result<BTreeMap<CoreAddress, Place>, Sentence> {
    let wrong = |reason: &str| part_error("section", section, reason);
    if !contents.len().is_multiple_of(LINE_SIZE) {
        return Err(wrong("its size is not a multiple of 16"));
    }
    let mut lines = BTreeMap::new();
    for record in contents.chunks_exact(LINE_SIZE) {
        let [cell, file, line, kind] = bytemuck::pod_read_unaligned::<[u32; 4]>(record).map(u32::from_le);
        let cell = CoreAddress::from_index(cell as usize).map_err(|_| wrong("a record names no cell"))?;
        let kind = *KINDS.get(kind as usize).ok_or_else(|| wrong("a record has an unknown kind"))?;
        lines.insert(cell, Place { file, line, kind });
    }
    Ok(lines)
}

fn read_files(section: usize, contents: &[u8]) -> Result<Vec<SourceFile>, Sentence> {
    let wrong = |reason: &str| part_error("section", section, reason);
    let mut files = Vec::new();
    let mut rest = contents;
    while !rest.is_empty() {
        let (lengths, behind) = rest.split_at_checked(8).ok_or_else(|| wrong("a file's lengths are cut short"))?;
        let [name, text] = bytemuck::pod_read_unaligned::<[u32; 2]>(lengths).map(u32::from_le);
        let take = |from: &mut &[u8], size: u32| {
            let (taken, behind) = from.split_at_checked(size as usize).ok_or_else(|| wrong("a file is cut short"))?;
            *from = behind;
            String::from_utf8(taken.to_vec()).map_err(|_| wrong("a file is not UTF-8"))
        };
        rest = behind;
        let name = take(&mut rest, name)?;
        let text = take(&mut rest, text)?;
        files.push(SourceFile { name, text });
    }
    Ok(files)
}

fn read_symbols(
    section: usize,
    header: &SectionHeader,
    contents: &[u8],
    strings: &[u8],
) -> Result<BTreeMap<String, Symbol>, Sentence> {
    if header.sh_entsize != SYMBOL_SIZE as u64 || !contents.len().is_multiple_of(SYMBOL_SIZE) {
        return Err(part_error("section", section, "symbols have 24 bytes each"));
    }
    let symbols = Sym::parse(contents, 0, contents.len() / SYMBOL_SIZE, context())
        .map_err(|e| part_error("section", section, e))?;
    let mut found = BTreeMap::new();
    for (symbol, read) in symbols.iter().enumerate().skip(1) {
        let wrong = |reason: String| part_error("symbol", symbol, reason);
        let name = string(strings, read.st_name).map_err(wrong)?;
        let value = match read.st_type() {
            STT_NOTYPE if read.st_shndx == SHN_ABS as usize => {
                let value = read.st_value as i64;
                if !(-LARGEST_VALUE..=LARGEST_VALUE).contains(&value) {
                    return Err(wrong(format!("{} is {value}: a constant has at most 45 bits", quoted(name))));
                }
                Symbol { value, kind: SymbolKind::Constant, exported: false }
            }
            STT_OBJECT => {
                if read.st_value % SLOT != 0 || read.st_value / SLOT > 0o77777 {
                    return Err(wrong(format!("{} is at {:#x}, which is not a cell", quoted(name), read.st_value)));
                }
                Symbol { value: (read.st_value / SLOT) as i64, kind: SymbolKind::Cell, exported: false }
            }
            other => return Err(wrong(format!("{} is neither a cell nor a constant (type {other})", quoted(name)))),
        };
        let exported = read.st_bind() == STB_GLOBAL;
        if found.insert(name.to_owned(), Symbol { exported, ..value }).is_some() {
            return Err(wrong(format!("{} stands in the table twice", quoted(name))));
        }
    }
    Ok(found)
}
