//! Programs from files, and the machine they run on: shared by `run` and `debug`.

use crate::files::assemble::assemble_text;
use crate::files::devices::DeviceOptions;
use crate::files::kind::wrong_kind;
use crate::prelude::*;
use crate::session::messages::message_line;
use m220_asm::{Image, elf};
use m220_isa::octal_deck::{DEFAULT_ORIGIN, OctalDeck};
use m220_isa::{Address, CoreAddress, DeckError, DeckErrors, DeckProblem, Word, number};
use m220_machine::{Config, Machine, MemoryMode, Model, Periphery};
use m220_players::itep::listing::Overlay;
use std::str::FromStr;

/// Program files are far smaller: four full cubes of core as an image with its lines and names stay under four million
/// bytes.
pub const LARGEST_PROGRAM: u64 = 64 << 20;

/// Cubes of core that a machine can have.
pub const MOST_CUBES: u8 = 4;

/// Which machine.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct MachineOptions {
    /// The machine [default: the one the image was assembled for; for an octal deck the M-220]
    #[arg(long, value_parser = parser::<Model>())]
    pub model: Option<Model>,
    /// Cubes of core, 4096 words each: 1 to 4 [default: 4; on an M-20, 1]
    #[arg(long, value_name = "N")]
    pub cubes: Option<u8>,
    /// What cells 7770-7777 are: 1, core; 2, key registers and RR. By default 1, on the ITEP machine always 2
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub memory_mode: Option<u8>,
    /// How an octal deck is read.
    #[command(flatten)]
    pub deck: DeckOptions,
}

/// How an octal deck is read.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct DeckOptions {
    /// Accept octal decks that give a cell more than once: the last word counts
    #[arg(long)]
    pub allow_overlap: bool,
    /// Correct the octal deck with the corrections in this file, which must match the deck
    #[arg(long, value_name = "FILE")]
    pub overlay: Option<PathBuf>,
}

impl DeckOptions {
    /// Rejects corrections where there is no octal deck.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there are any.
    pub fn refuse_overlay(&self) -> Result<(), Failure> {
        match &self.overlay {
            Some(overlay) => Err(Failure::Usage(format!("--overlay {}: there is no octal deck", overlay.display()))),
            None => Ok(()),
        }
    }

    /// The octal deck in these bytes, corrected where that is wanted.
    fn read(&self, path: &Path, bytes: &[u8], session: &Session) -> Result<OctalDeck, Failure> {
        let Some(overlay) = &self.overlay else {
            let parse = if self.allow_overlap { OctalDeck::parse_overlapping } else { OctalDeck::parse };
            return parse(bytes).map_err(|errors| no_deck(path, bytes, &errors));
        };
        let deck = OctalDeck::parse_overlapping(bytes).map_err(|errors| no_deck(path, bytes, &errors))?;
        let text = session.read_file(overlay, LARGEST_PROGRAM)?;
        let bad =
            |path: &Path, error: &dyn std::fmt::Display| Failure::BadInput(format!("{}: {error}", path.display()));
        let overlay: Overlay =
            String::from_utf8_lossy(&text).parse().map_err(|error: Sentence| bad(overlay, &error))?;
        let cells = overlay.corrected(&deck).map_err(|error| bad(path, &error))?;
        Ok(OctalDeck { words: cells.into_iter().collect(), ..deck })
    }
}

impl MachineOptions {
    /// Whether a machine is named.
    #[must_use]
    pub fn are_given(&self) -> bool {
        self.model.is_some() || self.cubes.is_some() || self.memory_mode.is_some()
    }

    /// The machine of these options, `model` if they name none.
    fn config(&self, model: Model) -> Result<Config, Failure> {
        let usual = Config::new(self.model.unwrap_or(model));
        let memory_mode = match self.memory_mode {
            None => usual.memory_mode,
            Some(1) => MemoryMode::I,
            Some(_) => MemoryMode::II,
        };
        let config = Config { cubes: self.cubes.unwrap_or(usual.cubes), memory_mode, ..usual };
        config.check().map_err(|error| Failure::Usage(error.to_string()))
    }
}

/// How the machine is set up before a start: what `run` and `debug` have in common.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct Setup {
    /// Which machine.
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Start here instead of the file's start cell: up to 4 octal digits, 5 with the cube in front, or a name of the program
    #[arg(long, value_name = "ADDR")]
    pub start: Option<CellName>,
    /// Put a word of 15 octal digits, or a decimal number (0020==0.1), into a cell before the start
    #[arg(long, value_name = "ADDR=WORD", value_parser = set_cell)]
    pub set: Vec<(CellName, Word)>,
    /// Set key register N, 1 to 4, of the console
    #[arg(long, value_name = "N=WORD", value_parser = set_key)]
    pub key: Vec<(usize, Word)>,
    /// What its devices hold.
    #[command(flatten)]
    pub devices: DeviceOptions,
}

impl Setup {
    /// Puts the programs and the words of `--set` into core, and sets the keys.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a cell that the machine does not have or that is not core, or a key given twice.
    pub fn apply<P: Periphery>(&self, programs: &Programs, machine: &mut Machine<P>) -> Result<(), Failure> {
        programs.load_into(machine)?;
        self.operate(programs, machine)
    }

    /// Puts the words of `--set` into core, and sets the keys, as at the console of a machine that stands.
    ///
    /// # Errors
    /// As [`Setup::apply`].
    pub fn operate<P: Periphery>(&self, programs: &Programs, machine: &mut Machine<P>) -> Result<(), Failure> {
        for (cell, word) in &self.set {
            let cell = programs.cell("--set", cell)?;
            machine.set_core(cell, *word).map_err(|error| Failure::Usage(format!("--set {cell}: {error}")))?;
            if machine.core(cell) != Ok(*word) {
                return Err(Failure::Usage(format!("--set {cell}: not core: what is stored there is lost")));
            }
        }
        for (index, (key, word)) in self.key.iter().enumerate() {
            if self.key[..index].iter().any(|other| other.0 == *key) {
                return Err(Failure::Usage(format!("--key {key}: given twice")));
            }
            machine.set_key(*key, *word);
        }
        Ok(())
    }
}

/// A program read from a file, image or octal deck.
pub struct ProgramFile {
    /// The file.
    pub path: PathBuf,
    /// Words, names and start; an octal deck has no names.
    pub image: Image,
    /// Whether the file names its machine: an image does, an octal deck does not.
    pub is_image: bool,
}

impl ProgramFile {
    /// The ELF image or octal deck in these bytes, told apart by their content.
    ///
    /// # Errors
    /// [`Failure::BadInput`] or [`Failure::Diagnostics`] naming the file and the places in it.
    pub fn of(path: &Path, bytes: &[u8], options: &DeckOptions, session: &Session) -> Result<ProgramFile, Failure> {
        let is_image = elf::is_elf(bytes);
        let image = if is_image {
            let image = elf::load(bytes, MOST_CUBES);
            image.map_err(|error| Failure::BadInput(format!("{}: {error}", path.display())))?
        } else {
            let deck = options.read(path, bytes, session)?;
            if deck.words.iter().any(|(cell, word)| *cell == Address::ZERO && *word != Word::ZERO) {
                session
                    .warn(&format!("{}: a word for cell 0000, which always reads as zero: it is lost", path.display()));
            }
            // Only a start named by the deck: the default must not win over another file's start.
            let entry = deck.start.map(CoreAddress::from);
            Image { entry, ..m220_asm::deck::from_deck(&deck, Model::default()) }
        };
        Ok(ProgramFile { path: path.to_owned(), image, is_image })
    }
}

/// The failure of a file that should be an octal deck, with what it may be instead.
fn no_deck(path: &Path, bytes: &[u8], errors: &DeckErrors) -> Failure {
    let is_twice = |error: &DeckError| matches!(error.problem, DeckProblem::Twice(..));
    let is_twice = errors.all().iter().any(is_twice);
    if let Some(other) = wrong_kind(path, bytes, "an ELF image or an octal deck").filter(|_| !is_twice) {
        return other;
    }
    let named = path.extension().and_then(|extension| extension.to_str());
    let hint = if named == Some("cdr") { " (a card deck is read with --input --cards)" } else { "" };
    if named == Some("m220") && errors.first().problem != DeckProblem::NotText {
        return Failure::BadInput(format!(
            "{}: by its name a source text, from which m220 asm -o makes an image; as an octal deck: {}",
            path.display(),
            errors.first()
        ));
    }
    let kind =
        if errors.first().problem == DeckProblem::NotText { "neither an ELF image nor an octal deck: " } else { "" };
    let hint = if is_twice { " (--allow-overlap takes the last word)" } else { hint };
    deck_failure(path, kind, errors, hint)
}

/// The failure of a deck, with all that is told of it.
pub fn deck_failure(path: &Path, kind: &str, errors: &DeckErrors, hint: &str) -> Failure {
    let name = path.display();
    match errors.all() {
        [error] => Failure::BadInput(format!("{name}: {kind}{error}{hint}")),
        all => {
            let mut lines: Vec<String> = all.iter().map(|error| format!("{name}: {kind}{error}")).collect();
            if errors.more() > 0 {
                lines.push(format!("{name}: and {} more", errors.more()));
            }
            lines.last_mut().into_iter().for_each(|last| last.push_str(hint));
            Failure::Diagnostics(lines.iter().map(|line| message_line(line)).collect::<Vec<_>>().join("\n"))
        }
    }
}

/// The programs of a command line, in order, and the machine for them.
pub struct Programs {
    files: Vec<ProgramFile>,
    /// The machine.
    pub config: Config,
}

impl Programs {
    /// Reads programs, assembling sources (`.m220`), and determines which machine runs them.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a file that is not a program or needs more core than the machine has,
    /// [`Failure::Diagnostics`] for a source with errors,
    /// [`Failure::Usage`] for a machine that does not exist or images of two machines.
    pub fn read(paths: &[PathBuf], options: &MachineOptions, session: &Session) -> Result<Programs, Failure> {
        let default = options.model.unwrap_or_default();
        let read = |path: &PathBuf| {
            let bytes = session.read_file(path, LARGEST_PROGRAM)?;
            // Standard input has no name to go by.
            let is_deck = || elf::is_elf(&bytes) || OctalDeck::parse_overlapping(&bytes).is_ok();
            let is_source = match is_standard(path) {
                true => !is_deck(),
                false => path.extension().is_some_and(|extension| extension == "m220"),
            };
            if !is_source {
                return ProgramFile::of(path, &bytes, &options.deck, session);
            }
            let image = assemble_text(path, bytes, default, &[], session)?.image;
            Ok(ProgramFile { path: path.clone(), image, is_image: true })
        };
        let files: Vec<ProgramFile> = paths.iter().map(read).collect::<Result<_, Failure>>()?;
        if files.iter().all(|file| file.is_image) {
            options.deck.refuse_overlay()?;
        }
        let model = model_of(&files, options, session)?;
        let programs = Programs { files, config: options.config(model)? };
        programs.check_core()?;
        Ok(programs)
    }

    /// Rejects files that bring nothing into core.
    ///
    /// # Errors
    /// [`Failure::BadInput`] naming the last file.
    pub fn refuse_empty(&self) -> Result<(), Failure> {
        match self.files.last() {
            Some(last) if self.files.iter().all(|file| file.image.words.is_empty()) => {
                let path = last.path.display();
                Err(Failure::BadInput(format!("{path}: no word in it: expected an ELF image or an octal deck")))
            }
            _ => Ok(()),
        }
    }

    /// All programs as one, as they lie in core, starting at `start`.
    #[must_use]
    pub fn merged(&self, start: CoreAddress) -> Image {
        let mut all = Image { model: self.config.model, ..Image::default() };
        for file in &self.files {
            all.merge(&file.image);
        }
        Image { entry: Some(start), ..all }
    }

    /// The same programs for another machine.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a file that needs more core than it has.
    pub fn on(self, config: Config) -> Result<Programs, Failure> {
        let programs = Programs { config, ..self };
        programs.check_core().map(|()| programs)
    }

    fn check_core(&self) -> Result<(), Failure> {
        for file in &self.files {
            let words = file.image.words.keys().copied();
            let last_reserved = |(&start, &cells): (&CoreAddress, &usize)| {
                CoreAddress::from_index(start.index() + cells.saturating_sub(1)).unwrap_or(start)
            };
            let mut used = words.chain(file.image.reserved.iter().map(last_reserved)).chain(file.image.entry);
            if let Some(beyond) = used.find(|cell| cell.cube() >= self.config.cubes) {
                let path = file.path.display();
                return Err(Failure::BadInput(format!("{path}: cell {beyond}: {}", self.core_size())));
            }
        }
        Ok(())
    }

    fn core_size(&self) -> String {
        let last = usize::from(self.config.cubes) * 0o10000 - 1;
        match self.config.cubes {
            1 => "this machine has one cube of core, cells 0000 to 7777".to_owned(),
            cubes => format!("this machine has {cubes} cubes of core, cells 0000 to {last:o}"),
        }
    }

    /// Puts the programs into core, one after the other.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a cell that the machine does not have.
    pub fn load_into<P: Periphery>(&self, machine: &mut Machine<P>) -> Result<(), Failure> {
        for file in &self.files {
            for (&cell, &word) in &file.image.words {
                let stored = machine.set_core(cell, word);
                stored.map_err(|error| Failure::BadInput(format!("{}: cell {cell}: {error}", file.path.display())))?;
            }
        }
        Ok(())
    }

    /// The start cell of a run, with a warning if no image names one.
    #[must_use]
    pub fn start_or_warn(&self, session: &Session) -> CoreAddress {
        let start = self.start();
        if self.files.iter().all(|file| file.image.entry.is_none())
            && let Some(image) = self.files.iter().find(|file| file.is_image)
        {
            let name = image.path.display();
            session.warn(&format!(
                "{name}: names no start, so it begins at {start}: add `start LABEL` to the source, or --start"
            ));
        }
        start
    }

    /// The start cell: the last one that a file names, or 0001.
    #[must_use]
    pub fn start(&self) -> CoreAddress {
        self.files.iter().rev().find_map(|file| file.image.entry).unwrap_or(DEFAULT_ORIGIN.into())
    }

    /// The cell that an option names, by address or by a name of an image.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a cell that the machine does not have or an unknown name, naming `option`.
    pub fn cell(&self, option: &str, name: &CellName) -> Result<CoreAddress, Failure> {
        let cell = match name {
            CellName::Cell(cell) => *cell,
            CellName::Name(name, beyond) => {
                let found = self.files.iter().rev().map(|file| file.image.cell(name));
                let tried: Vec<_> = found.collect();
                match tried.iter().find_map(|cell| cell.as_ref().ok()) {
                    Some(cell) => CoreAddress::new(cell.cube(), cell.cell().offset(*beyond)),
                    None if self.files.iter().all(|file| file.image.symbols.is_empty()) => {
                        return Err(Failure::Usage(format!(
                            "{option}: `{name}` is not an octal address, and no image with names is loaded"
                        )));
                    }
                    None => {
                        let error = tried.into_iter().find_map(Result::err).map(|error| error.to_string());
                        return Err(Failure::Usage(format!("{option}: {}", error.unwrap_or_default())));
                    }
                }
            }
        };
        if cell.cube() >= self.config.cubes {
            return Err(Failure::Usage(format!("{option}: cell {cell}: {}", self.core_size())));
        }
        Ok(cell)
    }

    /// A name of the cell in the images, if it has one.
    #[must_use]
    pub fn label(&self, cell: CoreAddress) -> Option<&str> {
        self.files.iter().rev().find_map(|file| file.image.labels().get(&cell)?.first().copied())
    }
}

/// The model that the images are for; an option that contradicts them wins, with a warning.
fn model_of(files: &[ProgramFile], options: &MachineOptions, session: &Session) -> Result<Model, Failure> {
    let mut images = files.iter().filter(|file| file.is_image);
    let Some(first) = images.next() else { return Ok(Model::default()) };
    let name = |file: &ProgramFile| format!("{} is for the {}", file.path.display(), file.image.model.name());
    match options.model {
        Some(model) => {
            for other in files.iter().filter(|file| file.is_image && file.image.model != model) {
                session.warn(&format!("{}: it runs on the {} anyway", name(other), model.name()));
            }
            Ok(model)
        }
        None => match images.find(|other| other.image.model != first.image.model) {
            Some(other) => Err(Failure::Usage(format!("{}, {}: choose with --model", name(first), name(other)))),
            None => Ok(first.image.model),
        },
    }
}

/// A cell as options name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellName {
    /// Up to four octal digits, or five with the cube in front.
    Cell(CoreAddress),
    /// A name of an image, and how many cells beyond it: `list+4`, in octal.
    Name(String, u16),
}

impl FromStr for CellName {
    type Err = String;

    fn from_str(text: &str) -> Result<CellName, String> {
        if text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let Some((name, beyond)) = text.split_once('+') else { return Ok(CellName::Name(text.to_owned(), 0)) };
            let cells = u16::from_str_radix(beyond, 8).ok().filter(|&cells| cells < 0o10000);
            let cells =
                cells.ok_or_else(|| format!("`{beyond}` is not a number of cells: expected NAME+N, N octal"))?;
            return Ok(CellName::Name(name.to_owned(), cells));
        }
        text.parse().map(CellName::Cell).map_err(|error: m220_isa::AddressError| error.to_string())
    }
}

/// A word as options give it: 15 octal digits in any grouping, or `=` and a decimal number.
///
/// # Errors
/// What is wrong with it.
pub fn word(text: &str) -> Result<Word, String> {
    match text.strip_prefix('=') {
        Some(decimal) => number::from_decimal(decimal).map_err(|error| error.to_string()),
        None => text.parse().map_err(|error: m220_isa::WordError| error.to_string()),
    }
}

/// `ADDR=WORD`: a cell and its new word.
fn set_cell(text: &str) -> Result<(CellName, Word), String> {
    let (cell, value) = text
        .split_once('=')
        .ok_or("expected ADDR=WORD, for instance 0020=101400000000000, or ADDR==DECIMAL, for instance 0020==0.1")?;
    let word = word(value).map_err(|error| match number::from_decimal(value) {
        Ok(_) => format!("{error}; for a decimal number write {cell}=={value}"),
        Err(_) => error,
    })?;
    Ok((cell.parse()?, word))
}

/// `N=WORD`: a key register, 1 to 4, and its word.
fn set_key(text: &str) -> Result<(usize, Word), String> {
    let expected = "expected N=WORD with a key register N from 1 to 4";
    let (key, value) = text.split_once('=').ok_or(expected)?;
    let key = key.parse().ok().filter(|key| (1..=4).contains(key)).ok_or(expected)?;
    Ok((key, word(value)?))
}

/// `ADDR[,N]`: a cell and the pass before which to stop, from 1.
pub fn stop_at(text: &str) -> Result<(CellName, u64), String> {
    let Some((cell, pass)) = text.split_once(',') else { return Ok((text.parse()?, 1)) };
    let number = pass.parse().ok().filter(|&number| number > 0);
    let number = number.ok_or(format!("`{pass}` is not a pass: expected a number from 1"))?;
    Ok((cell.parse()?, number))
}

/// `FROM-TO`: the first and the last of some cells; a single cell stands for itself.
pub fn cell_range(text: &str) -> Result<(CellName, CellName), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Ok((from.parse()?, to.parse()?))
}
