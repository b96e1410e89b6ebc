//! Synchronous chess in `m220 reproduce`: the two printed games on both engines.

use crate::prelude::*;
use crate::reproduction::record::RunsRecord;
use chess_reference::sync::{PrintedGame, Sign, SyncGame, SyncState, column, printed_games, realised};
use m220_chess::sync::{SyncProgram, SyncQuestion};

/// Where the printed column of realised signs does not follow from the intended ones: game, doublet.
const KNOWN_EXCEPTION: (&str, u32) = ("game2", 26);

/// A printed game.
#[derive(Serialize)]
struct GameRecord {
    name: &'static str,
    rules: &'static str,
    doublets: usize,
    result: Option<&'static str>,
    #[serde(flatten)]
    runs: RunsRecord,
}

impl Reproducible for SyncProgram {
    const SOURCE: &'static str = "The two games in V. A. Korolev, Synchronous chess: logic or absurdity? (St Petersburg, 1995, in Russian): both \
        engines form the realised signs of every doublet from the intended ones.";

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let title = "synchronous chess, doublets";
        let (mut rows, mut tasks, mut games, mut exceptions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut literal = 0;
        for game in printed_games() {
            let Replayed { verdict, runs, signs, literal: alike, result } = replay(self, game, conditions)?;
            literal += alike;
            let doublets = runs.len();
            let runs = RunsRecord::of(&verdict, &runs);
            rows.push(TableRow::of_runs(game.name, doublets as u64, &runs));
            let known = |(number, ..): &(u32, String, String)| (game.name, *number) == KNOWN_EXCEPTION;
            let start = SyncState::start().to_fen();
            tasks.push(TaskResult {
                as_known: signs.iter().all(known),
                ..TaskResult::new(game.name, start, runs.verdict.clone())
            });
            games.push(GameRecord { name: game.name, rules: game.rules.name(), doublets, result, runs });
            exceptions.extend(
                signs
                    .into_iter()
                    .map(|(number, found, printed)| format!("{} {number}: {found}, printed {printed}", game.name)),
            );
        }
        let doublets: usize = printed_games().iter().map(|game| game.doublets.len()).sum();
        let text = format!(
            "the printed column of realised signs follows from the intended ones in {} of {doublets} doublets, sign by sign in \
             {literal}: a check not announced, our sign (+), may be printed as + or not at all{}",
            doublets - exceptions.len(),
            exceptions.iter().map(|exception| format!("; not in {exception}")).collect::<String>()
        );
        let notes = vec![Note { text, items: exceptions }];
        Ok(Section {
            json_name: Some("synchronous_chess"),
            json: json!({ "title": title, "games": games, "notes": notes }),
            columns: [&[title, "count", "equal"][..], &MODELLED].concat(),
            rows,
            tasks,
            notes,
        })
    }
}

/// A game played to its printed end on both engines.
struct Replayed {
    verdict: Verdict,
    /// The machine's run of every doublet.
    runs: Vec<MachineRecord>,
    /// Doublets whose column R does not follow: number, derived signs, printed signs.
    signs: Vec<(u32, String, String)>,
    /// How many columns R are the derived ones sign by sign.
    literal: usize,
    result: Option<&'static str>,
}

fn replay(program: &SyncProgram, game: &PrintedGame, conditions: &Conditions) -> Result<Replayed, ReproductionError> {
    let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
    let (mut verdict, mut runs, mut signs, mut literal) = (Verdict::Equal, Vec::new(), Vec::new(), 0);
    for printed in &game.doublets {
        let written = printed.written.map(Some);
        let compared = program.compare(&SyncQuestion { state: play.state(), written }, &conditions.settings)?;
        verdict = verdict.and(compared.verdict);
        runs.push(MachineRecord::of(&compared.machine));
        let doublet = play.play(written);
        let found = realised(written, &printed.intended, &doublet, play.result());
        let columns = [column(&found), column(&printed.realised)];
        literal += usize::from(columns[0] == columns[1]);
        if !Sign::agree(&found, &printed.realised) {
            let [found, printed_signs] = columns;
            signs.push((printed.number, found, printed_signs));
        }
    }
    Ok(Replayed { verdict, runs, signs, literal, result: play.result().map(|result| result.name()) })
}
