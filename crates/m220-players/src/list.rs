//! The one list of programs that play: the command line, chess GUIs and the page take theirs from here.

use crate::bell::Bell;
use crate::itep::{Itep, ItepProgram};
use crate::lessons::LessonsPlayer;
use crate::map_player::MapPlayer;
use crate::prelude::*;
use chess_reference::algorithm50::play::Strategy;
use chess_reference::lessons::Lessons;
use chess_reference::map::ChoiceOptions;
use m220_chess::{ChessProgram, PlayProgram};

/// A program that plays.
#[derive(Clone, Copy)]
pub struct PlayerRow {
    /// Its name in options and requests.
    pub name: &'static str,
    /// Another name that is taken.
    pub alias: Option<&'static str>,
    /// What it is, in a line.
    pub about: &'static str,
    /// Makes it.
    pub make: fn(&PlayerSettings) -> Result<Box<dyn Player>, Sentence>,
}

/// How the programs play; each takes what concerns it.
#[derive(Clone, Debug)]
pub struct PlayerSettings {
    /// Compute natively what could run on the emulated machine.
    pub native: bool,
    /// Bell: the queen may move from this move on.
    pub queen_from: u32,
    /// Bell: value every move to the end.
    pub all_values: bool,
    /// The map: positions looked into for a move.
    pub positions: u64,
    /// The lessons: level, cuts, values, opening file.
    pub lessons: Lessons,
    /// The institute's program: its listing as an octal deck.
    pub deck: Option<Vec<u8>>,
    /// The institute's program: half-moves that it looks ahead.
    pub plies: u16,
    /// The most instructions of a machine for a move.
    pub max_instructions: u64,
}

impl Default for PlayerSettings {
    fn default() -> PlayerSettings {
        let strategy = Strategy::default();
        PlayerSettings {
            native: false,
            queen_from: strategy.queen_from,
            all_values: false,
            positions: ChoiceOptions::default().positions,
            lessons: Lessons::default(),
            deck: None,
            plies: 3,
            max_instructions: 10_000_000_000,
        }
    }
}

/// All of them.
pub const PLAYERS: &[PlayerRow] = &[
    PlayerRow {
        name: "bell",
        alias: Some("atlas"),
        about: "A. G. Bell's program, as it played John Scott's on the Atlas",
        make: |settings| {
            let PlayerSettings { queen_from, all_values, .. } = *settings;
            let strategy = Strategy { queen_from, cut_off: !all_values, ..Strategy::default() };
            if settings.native {
                return Ok(Box::new(Bell::native(strategy)));
            }
            let limits = Limits::default().with_instructions(settings.max_instructions);
            let machine = PlayProgram::BUILT_IN.settings(Model::M220, &limits);
            let bell = Bell::built_in(machine, strategy);
            Ok(Box::new(bell.map_err(Sentence::of)?))
        },
    },
    PlayerRow {
        name: "map",
        alias: None,
        about: "Botvinnik's mathematical map (native)",
        make: |settings| {
            let options = ChoiceOptions { positions: settings.positions, ..ChoiceOptions::default() };
            Ok(Box::new(MapPlayer::new(options)))
        },
    },
    PlayerRow {
        name: "lessons",
        alias: Some("rau"),
        about: "P. Rău's lessons of 1985-86, as specified here (native)",
        make: |settings| Ok(Box::new(LessonsPlayer::new(settings.lessons.clone()))),
    },
    PlayerRow {
        name: "itep",
        alias: None,
        about: "The institute's program of the 1960s, from your own copy of its listing (--deck)",
        make: |settings| {
            let no_deck = "the institute's listing is not part of this program; expected --deck FILE: it is published as \
                           kaissa/kaissa.m20 in the repository besm6/m20 on GitHub";
            let deck = settings.deck.as_ref().ok_or(no_deck)?;
            let program = ItepProgram::from_deck(deck)?;
            Ok(Box::new(Itep::new(program, settings.plies, settings.max_instructions)))
        },
    },
];

/// The program of this name.
#[must_use]
pub fn player_named(name: &str) -> Option<&'static PlayerRow> {
    PLAYERS.iter().find(|row| row.name == name || row.alias == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let names: Vec<&str> = PLAYERS.iter().flat_map(|row| [Some(row.name), row.alias]).flatten().collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), names.len());
        assert!(names.into_iter().all(|name| player_named(name).is_some()) && player_named("you").is_none());
    }

    /// Every program that needs nothing of the reader's plays.
    #[test]
    fn each_is_made() {
        let made = |row: &PlayerRow| (row.make)(&PlayerSettings::default()).map(|player| player.name());
        assert!(
            made(player_named("itep").unwrap()).is_err_and(|error| error.to_string().contains("expected --deck FILE"))
        );
        assert!(PLAYERS.iter().filter(|row| row.name != "itep").all(|row| made(row).is_ok()));
    }
}
