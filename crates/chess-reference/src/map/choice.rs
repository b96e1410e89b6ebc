//! The choice of a move, in every position.
//!
//! Forced play comes first: the analysis with horizons 1, 2, 3, ... as far as the effort goes. A move's verdict is that
//! of the farthest horizon that has settled it. A move that wins is played; of several, one that a farther horizon
//! confirms. If none wins, moves that lose are dropped, and the assessment by formula (12) decides among the rest, then
//! the weight of the move. If all candidates lose, all legal moves are considered.

use super::analysis::{Analysis, Effort, FirstMove, LineVerdict, Loss, analyse};
use super::assessment::{Assessment, Style, TypedPiece, positional_moves};
use super::exchange::balance;
use super::sensible::{Sense, Step};
use crate::parallel::*;
use crate::prelude::*;
use num_rational::Rational64;
use shakmaty::Move;
use std::cmp::Reverse;
use std::iter;

/// What a choice may cost, and its positional style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceOptions {
    /// How positional moves are weighed.
    pub style: Style,
    /// The number of positions that the analyses may look into.
    pub positions: u64,
    /// The largest horizon, in half-moves.
    pub horizon_limit: u32,
    /// The number of closed squares up to which positional pieces are looked for: nu of formula (11). `None` means
    /// [`nu`] of the horizon.
    pub nu: Option<u32>,
}

impl Default for ChoiceOptions {
    fn default() -> ChoiceOptions {
        ChoiceOptions { style: Style::Even, positions: 20_000, horizon_limit: 5, nu: None }
    }
}

/// nu of formula (11), which the book does not give: 48 up to a horizon of three half-moves, 96 above.
pub const fn nu(horizon: u32) -> u32 {
    if horizon <= 3 { 48 } else { 96 }
}

/// The rule that singled the move out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ChoiceReason {
    /// There is no other legal move.
    OnlyMove,
    /// It wins by the rules of the analysis, within the horizon.
    #[serde(rename = "wins-by-force")] // The name in JSON schema 1.
    WinsByRules {
        /// The horizon, in half-moves.
        horizon: u32,
        /// What the variation is worth at the end of its main line, in pawns.
        gain: i32,
    },
    /// Every other candidate loses by these rules.
    KeepsHope,
    /// All legal moves lose by these rules; this one least.
    LeastLoss {
        /// The horizon that shows it, in half-moves.
        horizon: u32,
        /// What the variation after it is worth at the end, as White sees it, in pawns.
        worth: i32,
    },
    /// The assessment after it is the best.
    Assessment,
    /// Of the moves with the best assessment it has the largest weight.
    Weight,
    /// Of equal moves, the one that has not led to an earlier position of the game.
    NewPosition,
    /// Of equal moves, the first by name.
    Name,
}

impl MapChoice {
    /// The reason in words.
    #[must_use]
    pub fn said(&self) -> Sentence {
        match self.reason {
            ChoiceReason::OnlyMove => "there is no other legal move".into(),
            ChoiceReason::WinsByRules { horizon, gain } => match (gain.unsigned_abs(), self.evidence) {
                (_, WinEvidence::Mate) => "wins: it is mate".into(),
                (DOOMED_KING.., WinEvidence::Agreement) => {
                    sentence!("wins by these rules, horizon {horizon}: the king is counted as doomed", horizon)
                }
                (gain, WinEvidence::Agreement) => sentence!(
                    "wins by these rules, horizon {horizon}; worth {gain} at the end of the main line",
                    horizon,
                    gain
                ),
                (DOOMED_KING.., WinEvidence::None) => {
                    sentence!("the king is counted as doomed by these rules, horizon {horizon}; not confirmed", horizon)
                }
                (gain, WinEvidence::None) => {
                    sentence!("gains {gain} by these rules, horizon {horizon}; not confirmed", horizon, gain)
                }
            },
            ChoiceReason::KeepsHope => "keeps hope: every other candidate loses by these rules".into(),
            ChoiceReason::LeastLoss { horizon, worth } => match worth.unsigned_abs() {
                DOOMED_KING.. => {
                    sentence!(
                        "all moves lose by these rules, horizon {horizon}: the king is counted as doomed",
                        horizon
                    )
                }
                pawns => {
                    let loss =
                        if pawns == 1 { sentence!("{pawns} pawn", pawns) } else { sentence!("{pawns} pawns", pawns) };
                    sentence!(
                        "all moves lose by these rules; this one least, {loss} at horizon {horizon}",
                        loss,
                        horizon
                    )
                }
            },
            ChoiceReason::Assessment => "the best assessment".into(),
            ChoiceReason::Weight => "the largest weight among moves of the best assessment".into(),
            ChoiceReason::NewPosition => "the best of the moves that do not repeat a position (a rule of ours)".into(),
            ChoiceReason::Name => "of equal moves the first by name".into(),
        }
    }
}

/// From this worth on, in pawns, the map counts a king (valued at 200) as doomed. That proves no mate.
const DOOMED_KING: u32 = 100;

/// What confirms the claim that a move wins, besides the analysis itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WinEvidence {
    /// It mates.
    Mate,
    /// Three horizons or more agree that it wins, and E+ after it is two pawns or more above the balance of the
    /// pieces before it.
    Agreement,
    /// Nothing, or nothing is claimed.
    None,
}

/// The horizons that confirm a win. Both numbers follow from a modern engine's values of some hundred such wins.
const ENOUGH_HORIZONS: usize = 3;
/// The gain in E+ that confirms a win, in pawns.
const ENOUGH_PAWNS: i32 = 2;

/// Why a move was looked at: the groups of the section "moves to be looked at", in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateGroup {
    /// It begins an attack of the map, or clears the way of one.
    Attack,
    /// It negates an attack of the other side.
    Negation,
    /// It brings a piece to bear on a square that matters, or a piece in danger to safety; castling.
    Positional,
    /// None of these; looked at because there is nothing else, or all else loses.
    Legal,
}

/// A move that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub played: Move,
    /// Why it was looked at.
    pub group: CandidateGroup,
    /// It wins by these rules, at the farthest horizon that has settled it.
    pub wins: bool,
    /// It does not win, and the other side wins after it by these rules, at the largest completed horizon or beyond.
    pub loses: bool,
    /// E+ after the move, as White sees it, in pawns.
    pub assessment: i32,
    /// W, as White sees it.
    pub weight: Rational64,
    /// It leads to an earlier position of the game.
    pub seen_before: bool,
}

/// A horizon that was analysed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HorizonDone {
    /// In half-moves.
    pub horizon: u32,
    /// Every first move has its verdict.
    pub complete: bool,
    /// Positions looked into.
    pub positions: u64,
    /// The moves that win.
    pub winning: Vec<Step>,
}

/// The chosen move with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapChoice {
    /// The move, legal in the position asked about.
    pub played: Move,
    /// The rule that singled it out.
    pub reason: ChoiceReason,
    /// What confirms that the move wins, if that is the reason.
    pub evidence: WinEvidence,
    /// If the move wins by the rules: the main line that shows it, this move first, as far as its moves are legal.
    pub line: Vec<Move>,
    /// The horizon of the map that the assessment was made with, in half-moves.
    pub horizon: u32,
    /// E+ after the move, as White sees it, in pawns: the whole board's material and what is doomed, with the
    /// positional pieces of both sides counted.
    pub assessment: i32,
    /// W: how much freer own attacks and how much less free the enemy's become, as White sees it.
    pub weight: Rational64,
    /// The map of the position asked about has no attack at any horizon tried.
    pub empty_map: bool,
    /// q of both sides, White's first: the closed squares on the freest trajectory of each attack, summed.
    pub closed_squares: [u32; 2],
    /// The types of the pieces that are attacked in the position after the move.
    pub types: Vec<TypedPiece>,
    /// The candidates, best first.
    pub candidates: Vec<Candidate>,
    /// The horizons analysed.
    pub horizons: Vec<HorizonDone>,
    /// The positions looked into.
    pub positions: u64,
    /// The choice was cut short: the best found until then.
    pub interrupted: bool,
}

/// A horizon just analysed, with the choice if it were the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HorizonNews {
    /// In half-moves.
    pub horizon: u32,
    /// The positions looked into so far.
    pub positions: u64,
    /// The best move: one that wins, with the line that shows it and the worth at its end; otherwise the candidate of
    /// the best assessment that is not known to lose, with E+. As White sees it, in pawns.
    pub best: Option<(Vec<Move>, i32)>,
}

/// Chooses a move for the side to move; `None` if there is no legal move. `earlier` are the positions of the game so far.
///
/// # Errors
///
/// [`TooMany`] if a position has too many trajectories to list.
///
/// ```
/// use chess_reference::map::{ChoiceOptions, ChoiceReason, choose};
/// use m220_limits::Limits;
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let knight: Chess = "6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
/// let choice = choose(&knight, &[], &ChoiceOptions::default(), &Limits::default())?.ok_or("there are legal moves")?;
/// assert_eq!(choice.played.to_string(), "e4xd5");
/// assert!(matches!(choice.reason, ChoiceReason::WinsByRules { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choose(
    position: &Chess,
    earlier: &[Chess],
    options: &ChoiceOptions,
    limits: &Limits,
) -> Result<Option<MapChoice>, TooMany> {
    choose_among(position, earlier, &position.legal_moves(), options, limits, &|_| {})
}

/// As [`choose`], one of these legal moves; if none of them is legal, any. Reports each horizon analysed.
///
/// # Errors
///
/// [`TooMany`] if a position has too many trajectories to list.
pub fn choose_among(
    position: &Chess,
    earlier: &[Chess],
    among: &[Move],
    options: &ChoiceOptions,
    limits: &Limits,
    tell: &(dyn Fn(HorizonNews) + Sync),
) -> Result<Option<MapChoice>, TooMany> {
    let mut legal = position.legal_moves();
    if legal.is_empty() {
        return Ok(None);
    }
    if legal.iter().any(|played| among.contains(played)) {
        legal.retain(|played| among.contains(played));
    }
    let seen: Vec<Move> = legal.iter().copied().filter(|&played| earlier.contains(&after(position, played))).collect();
    // The position is mirrored so that White chooses: equal values are then settled alike for both sides.
    let setup = position.to_setup(shakmaty::EnPassantMode::Always).into_mirrored();
    // The mirror image of a legal position is legal.
    let mirror = match position.turn() {
        Color::White => None,
        Color::Black => setup.position(shakmaty::CastlingMode::Standard).ok(),
    };
    let Some(position) = mirror else {
        return Chooser::new(position.clone(), legal.to_vec(), seen, options, limits, tell).choose().map(Some);
    };
    let mirror = |moves: &[Move]| moves.iter().copied().map(Move::to_mirrored).collect();
    let tell = |news: HorizonNews| {
        let best = news.best.map(|(line, worth)| (mirror(&line), -worth));
        tell(HorizonNews { best, ..news });
    };
    Ok(Some(Chooser::new(position, mirror(&legal), mirror(&seen), options, limits, &tell).choose()?.mirrored()))
}

impl MapChoice {
    fn mirrored(mut self) -> MapChoice {
        self.played = self.played.to_mirrored();
        self.line = self.line.into_iter().map(Move::to_mirrored).collect();
        self.assessment = -self.assessment;
        self.weight = -self.weight;
        self.closed_squares.reverse();
        for piece in &mut self.types {
            piece.square = piece.square.flip_vertical();
            piece.color = piece.color.other();
        }
        self.types.sort_by_key(|piece| piece.square);
        for candidate in &mut self.candidates {
            candidate.played = candidate.played.to_mirrored();
            candidate.assessment = -candidate.assessment;
            candidate.weight = -candidate.weight;
        }
        if let ChoiceReason::WinsByRules { gain: worth, .. } | ChoiceReason::LeastLoss { worth, .. } = &mut self.reason
        {
            *worth = -*worth;
        }
        for Step { from, to } in self.horizons.iter_mut().flat_map(|done| &mut done.winning) {
            (*from, *to) = (from.flip_vertical(), to.flip_vertical());
        }
        self
    }
}

/// The least horizon of the map used to assess positions, if the limit allows it: the book wants "at least four", so
/// that all means of fight show in a first map.
const LEAST_MAP: u32 = 4;

/// What is known of the position before the move.
struct Before {
    map: super::Map,
    assessment: Assessment,
}

/// The choice of White's move.
struct Chooser<'a> {
    position: Chess,
    own: Placement,
    /// The moves to choose from.
    legal: Vec<Move>,
    seen: Vec<Move>,
    /// E+ favours the side to move.
    ahead: bool,
    options: &'a ChoiceOptions,
    limits: &'a Limits,
    tell: &'a (dyn Fn(HorizonNews) + Sync),
    /// One for each horizon from 1 on.
    analyses: Vec<Analysis>,
    spent: u64,
}

impl<'a> Chooser<'a> {
    fn new(
        position: Chess,
        legal: Vec<Move>,
        seen: Vec<Move>,
        options: &'a ChoiceOptions,
        limits: &'a Limits,
        tell: &'a (dyn Fn(HorizonNews) + Sync),
    ) -> Chooser<'a> {
        let own = Placement::from(position.clone());
        Chooser { position, own, legal, seen, ahead: false, options, limits, tell, analyses: Vec::new(), spent: 0 }
    }

    fn choose(mut self) -> Result<MapChoice, TooMany> {
        let before = self.before()?;
        if let [only] = self.position.legal_moves().as_slice() {
            return self.answer(ChoiceReason::OnlyMove, *only, Vec::new(), &before, Vec::new());
        }
        // Ours, since the book plays no games: who stands better does not repeat.
        self.ahead = before.assessment.e_plus() > 0;
        let candidates = self.candidates(&before.map)?;
        let mut judged = self.assess(&candidates, &before)?;
        self.play_of_annihilation(&judged)?;
        let winning = self.best_win()?;
        for candidate in &mut judged {
            candidate.wins = self.win(candidate.played).is_some();
        }
        // Half of what is left for the candidates, the rest for the other moves.
        let left = self.options.positions.saturating_sub(self.spent);
        let mut losses = self.drop_losing(&mut judged, left / 2)?;
        if winning.is_none() && judged.iter().all(|each| each.loses) {
            let known = |played: &Move| judged.iter().any(|each| each.played == *played);
            let others = self.legal.iter().filter(|played| !known(played));
            let others: Vec<_> = others.map(|&played| (played, CandidateGroup::Legal)).collect();
            let mut others = self.assess(&others, &before)?;
            losses.extend(self.drop_losing(&mut others, left - left / 2)?);
            judged.extend(others);
        }
        if let Some(FoundWin { line, horizon: horizon_of_win, gain }) = winning
            && let Some(&played) = line.first()
        {
            let reason = ChoiceReason::WinsByRules { horizon: horizon_of_win, gain };
            return self.answer(reason, played, line, &before, judged);
        }
        let standing = judged.iter().filter(|each| !each.loses).count();
        // If all lose: those that lose least, then those with the least taken; equal ones are chosen from as usual.
        let loss = |each: &Candidate| losses.iter().find(|(played, _)| *played == each.played).map(|&(_, loss)| loss);
        let least = judged.iter().filter_map(loss).max();
        let loses_more = |each: &Candidate| standing == 0 && loss(each) != least;
        judged.sort_by(|a, b| loses_more(a).cmp(&loses_more(b)).then_with(|| order(a, b, self.ahead)));
        let (first, second) = (&judged[0], judged.get(1).filter(|second| !second.loses));
        let reason = match second {
            _ if standing == 0 => ChoiceReason::LeastLoss {
                horizon: self.completed().map_or(1, |analysis| analysis.horizon),
                worth: least.map_or(0, |loss| loss.worth),
            },
            None if judged.len() > 1 => ChoiceReason::KeepsHope,
            None => ChoiceReason::Assessment,
            Some(second) if self.ahead && second.seen_before != first.seen_before => ChoiceReason::NewPosition,
            Some(second) if second.assessment != first.assessment => ChoiceReason::Assessment,
            Some(second) if second.weight != first.weight => ChoiceReason::Weight,
            Some(second) if second.seen_before != first.seen_before => ChoiceReason::NewPosition,
            Some(_) => ChoiceReason::Name,
        };
        let played = first.played;
        self.answer(reason, played, Vec::new(), &before, judged)
    }

    /// The map with a horizon of four, or the first farther one at which it is not empty, and the assessment.
    fn before(&self) -> Result<Before, TooMany> {
        let least = LEAST_MAP.min(self.options.horizon_limit);
        let mut map = super::Map::new(&self.own, least)?;
        for horizon in least + 1..=self.options.horizon_limit {
            if !map.values.is_empty() {
                break;
            }
            let farther = super::Map::new(&self.own, horizon)?;
            if !farther.values.is_empty() {
                map = farther;
            }
        }
        let assessment = Assessment::new(&self.own.board, Color::White, map.horizon, self.nu(map.horizon))?;
        Ok(Before { map, assessment })
    }

    /// Analyses with growing horizons, as far as the effort goes. `assessed` are the candidates.
    fn play_of_annihilation(&mut self, assessed: &[Candidate]) -> Result<(), TooMany> {
        // The rest is kept for asking whether moves lose.
        let budget = self.options.positions - self.options.positions / 4;
        let limits = self.limits.time_left().map(|left| self.limits.with_timeout(left - left / 4));
        let limits = limits.as_ref().unwrap_or(self.limits);
        for horizon in 1..=self.options.horizon_limit {
            if self.spent >= budget || limits.is_over() {
                break;
            }
            let effort = Effort::of(budget - self.spent);
            // The trees of the nearer horizons are still in use.
            let kept = effort.kept.saturating_sub(self.analyses.iter().map(Analysis::tree_size).sum());
            let analysis = analyse(&self.own, horizon, Effort { kept, ..effort }, limits)?;
            self.spent += analysis.positions;
            let last = !is_complete(&analysis) || analysis.positions > self.options.positions / 4;
            self.analyses.push(analysis);
            let win = self.best_win()?.map(|win| (win.line, win.gain));
            let standing = || {
                assessed
                    .iter()
                    .min_by(|a, b| self.is_lost(a).cmp(&self.is_lost(b)).then_with(|| order(a, b, self.ahead)))
            };
            let best = win.or_else(|| standing().map(|best| (vec![best.played], best.assessment)));
            (self.tell)(HorizonNews { horizon, positions: self.spent, best });
            if last {
                break;
            }
        }
        Ok(())
    }

    /// The analysis of the largest completed horizon.
    fn completed(&self) -> Option<&Analysis> {
        self.analyses.iter().rev().find(|analysis| is_complete(analysis))
    }

    /// The verdict that counts for a move: that of the farthest horizon that has settled it, however little of that
    /// horizon is done. `None` if none has, or if the largest completed horizon does not look at the move.
    fn settled(&self, played: Move, settled: impl Fn(LineVerdict) -> bool) -> Option<(&Analysis, &FirstMove)> {
        for analysis in self.analyses.iter().rev() {
            match analysis.moves.iter().find(|first| first.step.is(played)) {
                Some(first) if settled(first.verdict) => return Some((analysis, first)),
                None if is_complete(analysis) => return None,
                Some(_) | None => {}
            }
        }
        None
    }

    /// Whether the farthest horizon that has settled it finds that the other side wins after a move.
    fn is_lost(&self, candidate: &Candidate) -> bool {
        let proved = self.settled(candidate.played, LineVerdict::is_proved);
        proved.is_some_and(|(_, first)| first.verdict == LineVerdict::Loses)
    }

    /// The analysis that shows that a move wins, unless a farther one has rejected the move.
    fn win(&self, played: Move) -> Option<(&Analysis, &FirstMove)> {
        self.settled(played, LineVerdict::is_settled).filter(|(_, first)| first.verdict == LineVerdict::Wins)
    }

    /// How many horizons, from this one down, find that a move wins.
    fn agreement(&self, played: Move, horizon: u32) -> usize {
        let nearer = self.analyses.iter().rev().skip_while(|each| each.horizon > horizon);
        let wins = |first: &FirstMove| first.step.is(played) && first.verdict == LineVerdict::Wins;
        nearer.take_while(|each| each.moves.iter().any(wins)).count()
    }

    /// A winning move that mates; otherwise one of the farthest horizon that has any: by the number of nearer horizons
    /// that agree, then the largest worth at the end of its main line, the fewest positions, the name.
    fn best_win(&self) -> Result<Option<FoundWin>, TooMany> {
        let mut wins = Vec::new();
        for &played in &self.legal {
            if self.ahead && self.seen.contains(&played) {
                continue;
            }
            if let Some((analysis, first)) = self.win(played) {
                let agreement = self.agreement(played, analysis.horizon);
                let mates = after(&self.position, played).is_checkmate();
                wins.push((analysis, first, analysis.worth(first)?.unwrap_or(0), agreement, mates));
            }
        }
        let best = wins.into_iter().min_by_key(|(analysis, first, worth, agreement, mates)| {
            (Reverse((*mates, analysis.horizon, *agreement)), -worth, first.positions, first.step.to_string())
        });
        Ok(best.map(|(analysis, first, gain, ..)| {
            let line = iter::once(first.step).chain(analysis.main_line(first).into_iter().map_while(|step| step));
            let line = legal_line(&self.position, line);
            FoundWin { line, horizon: analysis.horizon, gain }
        }))
    }

    /// The moves to be looked at.
    fn candidates(&self, map: &super::Map) -> Result<Vec<(Move, CandidateGroup)>, TooMany> {
        let horizon = map.horizon;
        let mut groups: Vec<(Step, CandidateGroup)> = Vec::new();
        for (step, sense) in map.sensible_moves() {
            groups.push((
                step,
                match sense {
                    Sense::Attack | Sense::Clearing => CandidateGroup::Attack,
                    Sense::Retreat | Sense::Block | Sense::Control => CandidateGroup::Negation,
                },
            ));
        }
        let positional = positional_moves(&self.own.board, Color::White, horizon, self.nu(horizon))?;
        groups.extend(positional.into_iter().map(|step| (step, CandidateGroup::Positional)));
        let group = |&played: &Move| match played {
            Move::EnPassant { .. } => Some(CandidateGroup::Attack),
            Move::Castle { .. } => Some(CandidateGroup::Positional),
            Move::Normal { promotion: Some(Role::Knight), to, .. } if self.forks(to) => Some(CandidateGroup::Attack),
            _ => groups.iter().find(|(step, _)| step.is(played)).map(|&(_, group)| group),
        };
        let mut found: Vec<_> = self.legal.iter().filter_map(|played| Some((*played, group(played)?))).collect();
        let castling_alone = found.iter().all(|(played, _)| played.is_castle());
        if castling_alone {
            found = self.legal.iter().map(|&played| (played, CandidateGroup::Legal)).collect();
        }
        Ok(found)
    }

    /// Whether a knight on `to` attacks two of king, queen and rooks at once, or mates.
    fn forks(&self, to: Square) -> bool {
        let board = self.position.board();
        let worth = board.black() & (board.kings() | board.rooks_and_queens());
        let hit = shakmaty::attacks::knight_attacks(to) & worth;
        hit.count() > 1 || (hit & board.kings()).any()
    }

    fn nu(&self, horizon: u32) -> u32 {
        self.options.nu.unwrap_or(nu(horizon))
    }

    /// W of a move, by the assessment after it.
    fn weight(&self, after: &Assessment, before: &Before) -> Rational64 {
        after.weight_since(&before.assessment, Color::White, self.options.style.factors())
    }

    /// E+ and W of every candidate; the material alone once time is up.
    fn assess(&self, candidates: &[(Move, CandidateGroup)], before: &Before) -> Result<Vec<Candidate>, TooMany> {
        let horizon = before.map.horizon;
        let nu = self.nu(horizon);
        candidates
            .par_iter()
            .map(|&(played, group)| {
                let next = after(&self.position, played);
                let (e_plus, weight) = if self.limits.is_over() {
                    (balance(next.board()), Rational64::from_integer(0))
                } else {
                    let assessment = Assessment::new(next.board(), Color::Black, horizon, nu)?;
                    (assessment.e_plus(), self.weight(&assessment, before))
                };
                let drawn = next.is_stalemate() || next.is_insufficient_material();
                let mated = next.is_checkmate();
                Ok(Candidate {
                    played,
                    group,
                    wins: false,
                    loses: false,
                    assessment: match (mated, drawn) {
                        (true, _) => super::exchange::KING,
                        (_, true) => 0,
                        _ => e_plus,
                    },
                    weight,
                    seen_before: self.seen.contains(&played),
                })
            })
            .collect()
    }

    /// Marks the candidates after which Black wins, and returns their losses. Those that no analysis has settled are
    /// examined at the largest completed horizon, with this many positions for all together.
    fn drop_losing(&mut self, candidates: &mut [Candidate], positions: u64) -> Result<Vec<(Move, Loss)>, TooMany> {
        let Some(completed) = self.completed().or(self.analyses.first()) else {
            return Ok(Vec::new());
        };
        let known = |played| {
            let proved = self.settled(played, LineVerdict::is_proved);
            proved.filter(|(analysis, _)| analysis.horizon >= completed.horizon)
        };
        let asked = candidates.iter().filter(|each| known(each.played).is_none());
        let share = positions / (asked.count() as u64).max(1);
        let worth: Vec<(Option<Loss>, u64)> = candidates
            .par_iter()
            .map(|candidate| match known(candidate.played) {
                Some((analysis, first)) if first.verdict == LineVerdict::Loses => Ok((analysis.loss(first)?, 0)),
                Some(_) => Ok((None, 0)),
                None => completed.wins_against(&after(&self.position, candidate.played), share, self.limits),
            })
            .collect::<Result<_, TooMany>>()?;
        self.spent += worth.iter().map(|(_, positions)| positions).sum::<u64>();
        let mut losses = Vec::new();
        for (candidate, (loss, _)) in candidates.iter_mut().zip(worth) {
            if let Some(loss) = loss {
                candidate.loses = !candidate.wins;
                // The king's value stands for an infinite one: other losses do not count beside it.
                let king_falls = loss.worth < -super::exchange::KING / 2;
                let loss = if king_falls { Loss { worth: -super::exchange::KING, taken: 0 } } else { loss };
                losses.push((candidate.played, loss));
            }
        }
        Ok(losses)
    }

    fn answer(
        self,
        reason: ChoiceReason,
        played: Move,
        line: Vec<Move>,
        before: &Before,
        mut candidates: Vec<Candidate>,
    ) -> Result<MapChoice, TooMany> {
        candidates
            .sort_by(|a, b| (b.played == played).cmp(&(a.played == played)).then_with(|| order(a, b, self.ahead)));
        let horizon = before.map.horizon;
        let next = after(&self.position, played);
        let assessment = Assessment::new(next.board(), Color::Black, horizon, self.nu(horizon))?;
        let evidence = match reason {
            _ if next.is_checkmate() => WinEvidence::Mate,
            ChoiceReason::WinsByRules { horizon, .. }
                if self.agreement(played, horizon) >= ENOUGH_HORIZONS
                    && assessment.e_plus() - balance(self.position.board()) >= ENOUGH_PAWNS =>
            {
                WinEvidence::Agreement
            }
            _ => WinEvidence::None,
        };
        Ok(MapChoice {
            played,
            reason,
            evidence,
            line,
            horizon,
            assessment: assessment.e_plus(),
            weight: self.weight(&assessment, before),
            empty_map: before.map.values.is_empty(),
            closed_squares: before.assessment.closed_squares,
            types: assessment.pieces,
            candidates,
            horizons: self.analyses.iter().map(HorizonDone::of).collect(),
            positions: self.spent,
            interrupted: self.limits.is_over() || self.limits.ended().is_some(),
        })
    }
}

/// Orders the better of two candidates first; whoever is `ahead` repeats a position only where every other move loses.
fn order(a: &Candidate, b: &Candidate, ahead: bool) -> std::cmp::Ordering {
    a.loses
        .cmp(&b.loses)
        .then_with(|| if ahead { a.seen_before.cmp(&b.seen_before) } else { std::cmp::Ordering::Equal })
        .then_with(|| b.assessment.cmp(&a.assessment))
        .then_with(|| b.weight.cmp(&a.weight))
        .then_with(|| a.seen_before.cmp(&b.seen_before))
        .then_with(|| to_uci(a.played).cmp(&to_uci(b.played)))
}

/// Every first move has its verdict.
fn is_complete(analysis: &Analysis) -> bool {
    analysis.is_complete() && !analysis.interrupted
}

impl HorizonDone {
    fn of(analysis: &Analysis) -> HorizonDone {
        let wins = analysis.moves.iter().filter(|first| first.verdict == LineVerdict::Wins);
        HorizonDone {
            horizon: analysis.horizon,
            complete: is_complete(analysis),
            positions: analysis.positions,
            winning: wins.map(|first| first.step).collect(),
        }
    }
}

/// The moves of a line of the map, up to the first that is not legal: the map's lines end with the capture of the king.
fn legal_line(position: &Chess, line: impl Iterator<Item = Step>) -> Vec<Move> {
    let mut position = position.clone();
    let legal = |step: Step| {
        let played = step.in_game(&position)?;
        position.play_unchecked(played);
        Some(played)
    };
    line.map_while(legal).collect()
}

/// A move that wins by the rules of the analysis.
#[derive(Debug, Clone)]
struct FoundWin {
    /// The move, and the main line after it, as far as its moves are legal.
    line: Vec<Move>,
    horizon: u32,
    /// What the end of the main line is worth to White, in pawns.
    gain: i32,
}
