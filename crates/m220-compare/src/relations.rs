//! The comparison of relations: its cases, and simpler ones.

mod reproduction;

use crate::position_cases::with_a_piece_less;
use crate::prelude::*;
use chess_reference::relations::{MOST_VALUE, Tables};
use m220_chess::relations::{RelationsProgram, RelationsQuestion};

/// A position whose relations both engines find, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationCase {
    /// The position.
    pub position: Placement,
    /// The values of the relations, as lines of a values file; the others have the value 1.
    pub values: Vec<String>,
}

/// The comparison with the machine program for relations.
#[derive(Clone, Copy, Default, Debug)]
pub struct RelationCases;

/// Values of every sign and size that is allowed.
fn random_values(rng: &mut ChaCha8Rng) -> Vec<String> {
    let value = |rng: &mut ChaCha8Rng| {
        let hundredths: i64 = rng.random_range(-100 * MOST_VALUE..=100 * MOST_VALUE);
        let sign = if hundredths < 0 { "-" } else { "" };
        format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
    };
    let mut lines = Vec::new();
    for x in ['K', 'Q', 'R', 'B', 'N', 'P'] {
        for y in ['K', 'Q', 'R', 'B', 'N', 'P'] {
            lines.push(format!("at {x} {y} {}", value(rng)));
            lines.push(format!("ap {x} {y} {}", value(rng)));
        }
        lines.push(format!("co {x} {}", value(rng)));
    }
    let (a, d) = (rng.random_range(1..=498), rng.random_range(1..=498));
    lines.push(format!("weights 0.{a:03} 0.{d:03} 0.{:03}", 1000 - a - d));
    lines
}

impl Comparison for RelationCases {
    const NAME: &'static str = "relations";
    const ABOUT: &'static str = "The relations of all pieces and their sum";

    type Program = RelationsProgram;
    type Case = RelationCase;

    /// In half the cases every relation has the value 1, in the others values are random.
    fn random(seed: u64, number: u64, _: CaseOptions) -> RelationCase {
        let rng = &mut generate::rng(seed, number);
        let position = generate::position(PositionSource::of(number), rng);
        let values = if rng.random() { random_values(rng) } else { Vec::new() };
        RelationCase { position, values }
    }

    fn of_position(position: &Placement, _: CaseOptions) -> Result<Vec<RelationCase>, String> {
        Ok(vec![RelationCase { position: position.clone(), values: Vec::new() }])
    }

    fn judge(
        &self,
        program: &RelationsProgram,
        case: &RelationCase,
        settings: &Settings,
    ) -> Result<Judged, ProgramError> {
        let tables = match Tables::read(&case.values.join("\n")) {
            Ok(tables) => tables,
            Err(error) => return Ok(Judged::without_a_run(Verdict::NoVerdict(NoVerdict::Native(error.to_string())))),
        };
        let Placement { board, turn, .. } = &case.position;
        let compared = program.compare(&RelationsQuestion { board, side: *turn, tables: &tables }, settings)?;
        Ok(Judged::of(compared, |native| !native.relations.is_empty()))
    }

    /// One piece fewer, or fewer values given.
    fn simpler(case: &RelationCase) -> Vec<RelationCase> {
        let mut cases: Vec<RelationCase> =
            with_a_piece_less(&case.position).map(|position| RelationCase { position, ..case.clone() }).collect();
        if !case.values.is_empty() {
            cases.insert(0, RelationCase { values: Vec::new(), ..case.clone() });
        }
        for line in 0..case.values.len() {
            let mut values = case.values.clone();
            values.remove(line);
            cases.push(RelationCase { values, ..case.clone() });
        }
        cases
    }

    fn fen(case: &RelationCase) -> String {
        case.position.to_fen()
    }

    fn command(case: &RelationCase) -> String {
        let fen = case.position.to_fen();
        match case.values.as_slice() {
            [] => format!("m220 relations --fen '{fen}'"),
            // Process substitution: the shell passes the output of `printf` as a file.
            lines => {
                let lines: Vec<String> = lines.iter().map(|line| format!("'{line}'")).collect();
                format!("m220 relations --fen '{fen}' --tables <(printf '%s\\n' {})", lines.join(" "))
            }
        }
    }
}
