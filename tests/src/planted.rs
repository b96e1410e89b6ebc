//! Machine programs with a fault planted in their text.

use chess_reference::{TooMany, Trajectories};
use m220_asm::Texts;
use m220_chess::trajectories::{BundleQuestion, ListQuestion, PieceTask};
use m220_chess::{BuiltIn, ChessProgram, Compared, MachineProgram, ProgramError, Settings, TrajectoryProgram};
use std::fs;
use std::path::{Path, PathBuf};

/// The texts of a program by their file names, the program's own first, with `sound` replaced by `faulty`.
///
/// # Panics
/// If `sound` does not occur in them exactly once.
pub fn texts_with(program: &BuiltIn, sound: &str, faulty: &str) -> Vec<(String, String)> {
    let files = program.image().unwrap_or_else(|error| panic!("{}: {error}", program.name)).files;
    let count: usize = files.iter().map(|file| file.text.matches(sound).count()).sum();
    assert_eq!(count, 1, "`{sound}` in the program {}", program.name);
    files.into_iter().map(|file| (file.name, file.text.replace(sound, faulty))).collect()
}

/// The program with `sound` replaced by `faulty`.
///
/// # Panics
/// If `sound` does not occur in its texts exactly once, or if the result does not assemble.
pub fn program_with<P: ChessProgram>(sound: &str, faulty: &str) -> P {
    let texts = texts_with(&P::BUILT_IN, sound, faulty);
    let texts: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let program = MachineProgram::from_texts(P::BUILT_IN.name, texts[0].0, &Texts(&texts));
    P::new(program.unwrap_or_else(|error| panic!("{error}"))).unwrap_or_else(|error| panic!("{error}"))
}

/// Writes the texts of the program with `sound` replaced by `faulty` into a folder. Returns the program's own file.
///
/// # Panics
/// If `sound` does not occur in its texts exactly once, or if a file cannot be written.
pub fn file_with(folder: &Path, program: &BuiltIn, sound: &str, faulty: &str) -> PathBuf {
    let texts = texts_with(program, sound, faulty);
    for (file, text) in &texts {
        fs::write(folder.join(file), text).expect("a file of the test");
    }
    folder.join(&texts[0].0)
}

/// Compares the lists of a piece, with the verdict on its bundles joined to theirs.
///
/// # Errors
/// As [`ChessProgram::compare`].
pub fn compare_task(
    program: &TrajectoryProgram,
    task: PieceTask<'_>,
    settings: &Settings,
) -> Result<Compared<Result<Trajectories, TooMany>, Trajectories>, ProgramError> {
    let lists = program.compare(&ListQuestion(task), settings)?;
    let bundles = program.compare(&BundleQuestion(task), settings)?;
    Ok(Compared { verdict: lists.verdict.and(bundles.verdict), ..lists })
}
