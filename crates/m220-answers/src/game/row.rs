//! One half-move of a game as the map sees it.

use crate::analyse::cells;
use crate::engines::{Engines, not_a_program};
use crate::map::too_many;
use crate::prelude::*;
use crate::{Context, Engine};
use chess_reference::json;
use chess_reference::map::{
    Assessment, AttackRoute, ChoiceOptions, ChoiceReason, Interpretation, InvisibleValue, Map, Sense, Step, Style,
    VerdictChoice, WinEvidence, choose, keeps_hope, nu,
};
use m220_chess::map::is_held;
use m220_chess::{ExperimentProgram, MachineRun};
use shakmaty::{Move, Position};

/// The farthest horizon at which a move is looked for, in half-moves: "the least at which all means of fight show".
/// Botvinnik 1968, p. 46.
pub const FARTHEST: usize = 4;

/// The horizon at which hope and E+ are tested, unless the move is first sensible beyond it.
const USUAL: u32 = 3;

/// The machine's horizon.
pub const MACHINE_HORIZON: u32 = 3;

/// From this worth on, in pawns, a king is counted as doomed.
const DOOMED_KING: i32 = 100;

/// What is worked out for each half-move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Maps and tests.
    Map,
    /// And the move that the machine program plays.
    Machine,
    /// And the native choice of a move.
    Choice,
}

impl Field for Effort {
    const CHOICES: Choices<Effort> =
        &[(Effort::Map, "map", ""), (Effort::Machine, "machine", ""), (Effort::Choice, "choice", "")];
}

/// A half-move as the map sees it. What was not asked for, or does not apply, is null.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The game in the file, from 1.
    pub game: usize,
    /// See [`super::game_id`].
    pub game_id: String,
    /// The half-move, from 1.
    pub ply: usize,
    /// The number of the move.
    pub number: u32,
    /// Whose move it is.
    #[serde(serialize_with = "json::colour")]
    pub side: Color,
    /// The move in the notation of game scores.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The position before it.
    pub fen: String,
    /// The number of legal moves.
    pub legal: usize,
    /// Why the map does not know the move: `castling`, `en-passant` or `underpromotion`.
    pub off_map: Option<&'static str>,
    /// The least horizon at which it is sensible.
    pub first_horizon: Option<u32>,
    /// The map's reason there.
    pub why: Option<Sense>,
    /// The legal moves that are sensible at horizons 1 to 4.
    pub sensible: [usize; FARTHEST],
    /// Whether it keeps its side's hope.
    pub keeps: Option<bool>,
    /// How many legal moves are sensible and keep it.
    pub keeping: usize,
    /// The attack that it begins.
    pub aim: Option<Aim>,
    /// The attack of the other side that it negates.
    pub against: Option<Aim>,
    /// The own attack whose way it clears.
    pub opens: Option<Aim>,
    /// Closed squares, q.
    pub closed: Closed,
    /// What q would be after a move drawn at random.
    pub style: Option<MeanClosed>,
    /// The machine program's move.
    pub machine: Option<MachineMove>,
    /// The native choice.
    pub choice: Option<Chosen>,
    /// E+ of formula (12) after the move, in pawns, as White sees it.
    pub e_plus: Option<i32>,
    /// The side whose king is counted as doomed after the move; E+ is then null.
    pub king_doomed: Option<&'static str>,
    /// The horizon of E+ and of hope, 3 or 4.
    #[serde(skip)]
    pub tested_at: u32,
    /// The position after the move.
    #[serde(skip)]
    pub fen_after: String,
    /// The attacks of the other side after the move that nothing stops, each by one of its ways, the dearest first.
    #[serde(skip)]
    pub threats: Vec<Vec<Square>>,
    /// What was worked out.
    pub effort: Effort,
    /// The time that it took here.
    pub host_seconds: f64,
    /// The program that made the row.
    pub version: String,
}

/// An attack, by one of its ways.
#[derive(Clone, Debug, Serialize)]
pub struct Aim {
    /// The attacking piece.
    #[serde(serialize_with = "json::role")]
    pub piece: Role,
    /// Its square.
    #[serde(serialize_with = "json::text")]
    pub from: Square,
    /// The square attacked.
    #[serde(serialize_with = "json::text")]
    pub to: Square,
    /// The piece attacked; null for a promotion on an empty square.
    #[serde(serialize_with = "json::role_if_any")]
    pub target: Option<Role>,
    /// What the attack is aimed at, in pawns.
    pub pawns: i32,
    /// The way.
    #[serde(serialize_with = "json::texts")]
    pub way: Vec<Square>,
    /// Its squares that are closed.
    #[serde(serialize_with = "json::texts")]
    pub closed: Vec<Square>,
    /// Whether every square is open and no retreat is safe.
    pub irresistible: bool,
}

impl Aim {
    fn of((value, route): (&InvisibleValue, &AttackRoute)) -> Aim {
        let attack = &value.attack;
        Aim {
            piece: attack.piece,
            from: attack.from,
            to: attack.to,
            target: attack.target,
            pawns: value.aim,
            way: route.trajectory.to_vec(),
            closed: route.alpha_squares.iter().filter(|alpha| alpha.f == 0).map(|alpha| alpha.square).collect(),
            irresistible: route.function == 1,
        }
    }

    /// Of these the one with the largest aim, then with the fewest closed squares, then the first by name.
    fn most<'m>(routes: impl Iterator<Item = (&'m InvisibleValue, &'m AttackRoute)>) -> Option<Aim> {
        let name = |route: &AttackRoute| route.trajectory.iter().map(Square::to_string).collect::<String>();
        let key = |(value, route): &(&InvisibleValue, &AttackRoute)| (-value.aim, route.closed_squares, name(route));
        routes.min_by_key(key).map(Aim::of)
    }
}

/// q of each side's attacks at horizon 4, the freest way of each summed; null after the end of a game.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Closed {
    /// Of the side that moves, before the move.
    pub own_before: u32,
    /// Of the other side.
    pub enemy_before: u32,
    /// Of the side that moves, after the move.
    pub own_after: Option<u32>,
    /// Of the other side.
    pub enemy_after: Option<u32>,
}

/// The mean of q over the legal moves after which the game goes on; null if there is none.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct MeanClosed {
    /// Of the side that moves.
    pub own: Option<f64>,
    /// Of the other side.
    pub enemy: Option<f64>,
}

impl MeanClosed {
    fn after_moves(position: &Chess) -> Result<MeanClosed, Refused> {
        let turn = position.turn();
        let next = position.legal_moves().into_iter().map(|played| after(position, played));
        let maps: Vec<Map> = next
            .filter(|next| !next.legal_moves().is_empty())
            .map(|next| Map::new(&Placement::from(next), FARTHEST as u32))
            .collect::<Result<_, _>>()
            .map_err(too_many)?;
        let mean = |side| {
            let sum: u32 = maps.iter().map(|map| closed_squares(map, side)).sum();
            (!maps.is_empty()).then(|| f64::from(sum) / maps.len() as f64)
        };
        Ok(MeanClosed { own: mean(turn), enemy: mean(turn.other()) })
    }
}

/// q of a side's attacks.
fn closed_squares(map: &Map, side: Color) -> u32 {
    map.of_side(side).map(InvisibleValue::closed_squares).sum()
}

/// The machine program's choice of a move.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MachineMove {
    /// The move, in UCI notation.
    #[serde(rename = "move")]
    pub uci: Option<String>,
    /// In the notation of game scores.
    pub san: Option<String>,
    /// Whether it is the move played.
    pub same: Option<bool>,
    /// What singled it out.
    pub reason: Option<chess_reference::map::VerdictReason>,
    /// The most positions looked into for one first move.
    pub share: u32,
    /// Its time on the M-220.
    pub m220_seconds: Option<f64>,
    /// How the run ended.
    pub result: String,
}

/// The native choice of a move, and what it says of the move played.
#[derive(Clone, Debug, Serialize)]
pub struct Chosen {
    /// The chosen move, in UCI notation.
    #[serde(rename = "move")]
    pub uci: String,
    /// In the notation of game scores.
    pub san: String,
    /// What singled it out.
    pub reason: ChoiceReason,
    /// Whether something besides the analysis confirms that it wins.
    pub confirmed: bool,
    /// The farthest horizon that was completed.
    pub complete_horizon: Option<u32>,
    /// The positions looked into.
    pub positions: u64,
    /// The line that shows it, in UCI notation.
    pub line: Vec<String>,
    /// Why the move played was looked at; null if it was not.
    pub group: Option<chess_reference::map::CandidateGroup>,
    /// `wins` or `loses` by the rules of 1968.
    pub verdict: Option<&'static str>,
    /// The farthest horizon at which the move played wins.
    pub at_horizon: Option<u32>,
    /// E+ after the move played, at the choice's horizon, as White sees it.
    pub e_plus: Option<i32>,
    /// W of the move played, in pawns, as White sees it.
    pub w: Option<f64>,
}

/// The machine that chooses moves, and how many positions each first move gets.
pub struct Machine {
    program: ExperimentProgram,
    settings: Settings,
    share: u32,
}

impl Machine {
    /// The built-in program on the M-220.
    ///
    /// # Errors
    /// The program cannot be loaded.
    pub fn new(share: u32, context: &Context<'_>) -> Result<Machine, Refused> {
        let engines = Engines::only(Engine::M220);
        let asking = Asking::<ExperimentProgram>::new(&engines, context)?;
        Ok(Machine { program: asking.program, settings: asking.settings, share })
    }

    /// Its choice in a position; none if its lists cannot hold that.
    ///
    /// # Errors
    /// The program cannot be run.
    pub fn chooses(&self, placement: &Placement) -> Result<Option<MachineRun<VerdictChoice>>, Refused> {
        if !is_held(placement) {
            return Ok(None);
        }
        let question = cells(placement, MACHINE_HORIZON, self.share);
        let run = self.program.choose(question, Style::default(), &self.settings);
        run.map(Some).map_err(|error| not_a_program("the machine program", &error))
    }

    /// Its move in a position.
    fn plays(&self, chess: &Chess, placement: &Placement, played: Move) -> Result<MachineMove, Refused> {
        let share = self.share;
        let Some(run) = self.chooses(placement)? else {
            return Ok(MachineMove { share, result: "unsupported".to_owned(), ..MachineMove::default() });
        };
        let best = run.answer().and_then(|answer| answer.best);
        let chosen = best.and_then(|step| step.in_game(chess));
        Ok(MachineMove {
            uci: chosen.map(|chosen| to_uci(chosen).to_string()),
            san: chosen.map(|chosen| san(chess, chosen)),
            same: chosen.map(|chosen| chosen == played),
            reason: run.answer().and_then(VerdictChoice::reason),
            share,
            m220_seconds: Some(run.report.clock.m220.microseconds() / 1e6),
            result: run.result().to_owned(),
        })
    }
}

/// A half-move of a game, to be looked at.
#[derive(Clone, Debug)]
pub struct HalfMove<'g> {
    /// The game in the file, from 1.
    pub game: usize,
    /// Its identity.
    pub game_id: &'g str,
    /// The half-move, from 1.
    pub ply: usize,
    /// The position before it.
    pub position: &'g Chess,
    /// The move.
    pub played: Move,
}

/// How a half-move is looked at.
pub struct Looking<'l> {
    /// How much is worked out.
    pub effort: Effort,
    /// The machine, for [`Effort::Machine`] and [`Effort::Choice`].
    pub machine: Option<&'l Machine>,
    /// The positions of the native choice.
    pub positions: u64,
    /// Whether q is worked out after every legal move.
    pub style: bool,
    /// Program and version.
    pub version: &'l str,
    /// What ends the work.
    pub limits: &'l Limits,
}

impl Looking<'_> {
    /// The row of a half-move. If the limits ended the work, it is not to be used.
    ///
    /// # Errors
    /// A position with too many trajectories to list.
    pub fn at(&self, half_move: &HalfMove<'_>) -> Result<Row, Refused> {
        let began = m220_limits::Instant::now();
        let &HalfMove { game, game_id, ply, position, played } = half_move;
        let (placement, turn) = (Placement::from(position.clone()), position.turn());
        let next = after(position, played);
        let step = step_of(played);
        let legal = position.legal_moves();
        let off_map = off_map(played);

        let maps: Vec<Map> = (1..=FARTHEST as u32)
            .map(|horizon| Map::new(&placement, horizon))
            .collect::<Result<_, _>>()
            .map_err(too_many)?;
        let sensible: Vec<Vec<(Step, Sense)>> = maps
            .iter()
            .map(|map| map.sensible_moves().into_iter().filter(|(step, _)| step.in_game(position).is_some()).collect())
            .collect();
        let reason = |moves: &[(Step, Sense)]| moves.iter().find(|(found, _)| *found == step).map(|&(_, sense)| sense);
        let first = sensible.iter().zip(&maps).find_map(|(moves, map)| Some((map, reason(moves)?)));
        let first = first.filter(|_| off_map.is_none());
        let (first_horizon, why) = (first.map(|(map, _)| map.horizon), first.map(|(_, sense)| sense));
        let serves = |wanted: &[Sense]| {
            let (map, sense) = first.filter(|(_, sense)| wanted.contains(sense))?;
            Aim::most(map.served_by(step, sense))
        };

        // A move is tested where it is first sensible, but at horizon 3 at least.
        let horizon = first_horizon.unwrap_or(USUAL).max(USUAL);
        let named = |moves: &[(Step, Sense)]| moves.iter().map(|&(step, _)| step).collect::<Vec<Step>>();
        let near = named(&sensible[USUAL as usize - 1]);
        let far: Vec<Step> = named(&sensible[FARTHEST - 1]).into_iter().filter(|step| !near.contains(step)).collect();
        let mut kept = Vec::new();
        for (horizon, steps) in [(USUAL, &near), (FARTHEST as u32, &far)] {
            let keeps = keeps_hope(Interpretation::default(), &placement, horizon, steps).map_err(too_many)?;
            kept.extend(steps.iter().copied().zip(keeps));
        }
        let keeps = kept.iter().find(|(found, _)| *found == step).map(|&(_, keeps)| keeps);

        let goes_on = !next.legal_moves().is_empty();
        let map_after = goes_on.then(|| Map::new(&Placement::from(next.clone()), FARTHEST as u32));
        let map_after = map_after.transpose().map_err(too_many)?;
        let last = &maps[FARTHEST - 1];

        let assessed = Assessment::new(next.board(), next.turn(), horizon, nu(horizon)).map_err(too_many)?;
        let worth = assessed.e_plus();
        let doomed =
            (worth.abs() >= DOOMED_KING).then(|| colour_name(if worth > 0 { Color::Black } else { Color::White }));

        let machine = self.machine.map(|machine| machine.plays(position, &placement, played)).transpose()?;
        let choice = (self.effort == Effort::Choice).then(|| self.choice(position, played)).transpose()?.flatten();
        Ok(Row {
            game,
            game_id: game_id.to_owned(),
            ply,
            number: position.fullmoves().get(),
            side: turn,
            san: san(position, played),
            uci: to_uci(played).to_string(),
            fen: fen(position),
            legal: legal.len(),
            off_map,
            first_horizon,
            why,
            sensible: std::array::from_fn(|index| sensible[index].len()),
            keeps: keeps.filter(|_| first.is_some()),
            keeping: kept.iter().filter(|(_, keeps)| *keeps).count(),
            aim: serves(&[Sense::Attack]),
            against: serves(&[Sense::Retreat, Sense::Block, Sense::Control]),
            opens: serves(&[Sense::Clearing]),
            closed: Closed {
                own_before: closed_squares(last, turn),
                enemy_before: closed_squares(last, turn.other()),
                own_after: map_after.as_ref().map(|map| closed_squares(map, turn)),
                enemy_after: map_after.as_ref().map(|map| closed_squares(map, turn.other())),
            },
            style: self.style.then(|| MeanClosed::after_moves(position)).transpose()?,
            machine,
            choice,
            e_plus: Some(worth).filter(|_| doomed.is_none()),
            king_doomed: doomed,
            tested_at: horizon,
            fen_after: fen(&next),
            threats: map_after.as_ref().map(|map| threats(map, turn.other())).unwrap_or_default(),
            effort: self.effort,
            host_seconds: began.elapsed().as_secs_f64(),
            version: self.version.to_owned(),
        })
    }

    fn choice(&self, position: &Chess, played: Move) -> Result<Option<Chosen>, Refused> {
        let options = ChoiceOptions { positions: self.positions, ..ChoiceOptions::default() };
        let made = choose(position, &[], &options, self.limits).map_err(too_many)?;
        let Some(made) = made else { return Ok(None) };
        let candidate = made.candidates.iter().find(|candidate| candidate.played == played);
        let verdict = candidate.and_then(|candidate| match candidate {
            candidate if candidate.wins => Some("wins"),
            candidate if candidate.loses => Some("loses"),
            _ => None,
        });
        let step = step_of(played);
        let wins = made.horizons.iter().rev().find(|done| done.winning.contains(&step));
        Ok(Some(Chosen {
            uci: to_uci(made.played).to_string(),
            san: san(position, made.played),
            confirmed: made.evidence != WinEvidence::None,
            complete_horizon: made.horizons.iter().rev().find(|done| done.complete).map(|done| done.horizon),
            positions: made.positions,
            line: made.line.iter().map(|&played| to_uci(played).to_string()).collect(),
            group: candidate.map(|candidate| candidate.group),
            verdict,
            at_horizon: wins.filter(|_| verdict == Some("wins")).map(|done| done.horizon),
            e_plus: candidate.map(|candidate| candidate.assessment),
            w: candidate.map(|candidate| *candidate.weight.numer() as f64 / *candidate.weight.denom() as f64),
            reason: made.reason,
        }))
    }
}

/// The attacks of a side that nothing stops, each by one of its ways, the dearest first.
fn threats(map: &Map, side: Color) -> Vec<Vec<Square>> {
    let mut values: Vec<&InvisibleValue> = map.of_side(side).filter(|value| value.function() == 1).collect();
    values.sort_by_key(|value| -value.aim);
    let open = |value: &&InvisibleValue| {
        let route = value.routes.iter().find(|route| route.function == 1)?;
        Some(route.trajectory.to_vec())
    };
    values.iter().filter_map(open).collect()
}

fn step_of(played: Move) -> Step {
    Step { from: played.from().unwrap_or(played.to()), to: to_uci(played).to }
}

/// Why the map does not know a move.
fn off_map(played: Move) -> Option<&'static str> {
    match played {
        played if played.is_castle() => Some("castling"),
        played if played.is_en_passant() => Some("en-passant"),
        played if played.promotion().is_some_and(|role| role != Role::Queen) => Some("underpromotion"),
        _ => None,
    }
}
