//! The move that the mathematical map chooses.
//!
//! The native choice weighs the moves as the book describes it; the machine, and the native reference beside it, choose
//! by a shorter rule, the verdicts of analyses alone. Both rules have one document and one way of saying it.

use crate::analyse::{cells, refuse_beyond_machine};
use crate::attacks::sentences;
use crate::map::too_many;
use crate::mate::{main_line, notes_of_position};
use crate::prelude::*;
use chess_reference::algorithm50::{self, Problem, solve, solve_key};
use chess_reference::endings::EndingPosition;
use chess_reference::map::{
    Candidate, CandidateGroup, ChoiceOptions, ChoiceReason, FirstVerdict, HorizonDone, HorizonNews, Interpretation,
    LineVerdict, MapChoice, Standing, Step, Style, TypedPiece, VerdictChoice, VerdictReason, WeighedMove, WinEvidence,
    choose_among,
};
use m220_chess::ExperimentProgram;
use m220_chess::map::compare_choices;
use shakmaty::Move;

/// Choose a move by the mathematical map
///
/// Analyses the position with growing horizons; a move that wins is played. Otherwise moves that lose are dropped, and
/// formula (12) decides among the rest, then the weight of the move. Botvinnik 1968, chapter II. There is always a
/// move, unless the game is over. Ctrl-C ends the search, and the best move so far is printed.
///
/// "Ahead" and "behind" in the table are verdicts of the analysis (`m220 analyse`): by these rules, not by all of
/// chess. The chosen move is said to come out ahead only if the verdict is confirmed: three horizons or more agree on
/// it, and E+ is two pawns or more above the pieces before the move. The line is the one in which the other side holds
/// out longest in the examined tree.
///
/// E+ is formula (12) after the move: White's material minus Black's, counting what is doomed on both sides, in pawns.
/// W, the weight, is how much freer the mover's attacks become and how much less free the enemy's; the book calls for
/// such a number, and this one is ours. Both are from White's point of view. q counts the closed squares on the freest
/// paths of each side's attacks.
///
/// A move is considered because it begins an attack or clears the path of one; because it negates an attack (captures,
/// blocks, retreats); because it brings up a positional piece; or, where the map shows nothing, because it is legal.
///
/// Limits: 20,000 positions and a horizon of 5 half-moves unless --positions and --horizon-limit say otherwise.
///
/// The machine program (--engine m220 or both) chooses by a shorter rule, and with both the native engine does the
/// same: it analyses with horizons up to 3 (at most 4), each first move within --share positions, and for each move the
/// farthest horizon that has settled it counts. A move that wins at the farthest horizon is chosen; of several, the one
/// on which more horizons agree, then the one that took the fewest positions to prove. If none wins, the choice is
/// among the moves that are not known to lose: the best E+, then the best W. The machine does not castle, capture en
/// passant or underpromote, and an answer that takes seconds here takes the M-220 hours.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 best --position opera
  m220 best --pgn game.pgn --move 16...")
)]
pub struct Best {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// How positional moves are weighed
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, default_value = "even"))]
    style: Text<Style>,
    /// Examine at most N positions [default: 20000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    positions: Option<Within<1, 100_000_000>>,
    /// With the machine: examine at most N positions for each first move, at each horizon [default: 100]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    share: Option<Within<1, { u32::MAX as u64 }>>,
    /// The largest horizon, in half-moves [default: 5; with the machine 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "H"))]
    horizon_limit: Option<Within<1, 12>>,
    /// Look for positional pieces only while fewer alpha fields than this are closed: nu of formula (11) [default: 48, and
    /// 96 with a horizon of more than three]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NU"))]
    nu: Option<u32>,
}

impl Field for Style {
    const CHOICES: Choices<Style> = &[
        (Style::Active, "active", "Own attacks count double"),
        (Style::Passive, "passive", "The enemy's attacks count double"),
        (Style::Even, "even", "Both count the same"),
    ];
}

/// Horizon and share of the machine's choice if none are given: those of the book's own run.
const USUAL_HORIZON: u32 = 3;
const USUAL_SHARE: u32 = 100;
/// How many moves of the table a face shows.
const SHOWN: usize = 5;
/// From this worth on, in pawns, the map counts a king as doomed. That proves no mate.
const DOOMED_KING: u32 = 100;
/// Positions that the search for a short mate beside the map may visit, and its longest mates.
const MATE_POSITIONS: u64 = 300_000;
const MATE_MOVES: u32 = 3;
/// How many half-moves of a line are drawn: more arrows cannot be told apart.
const DRAWN: usize = 5;

/// A position, and how a move of it is chosen.
pub struct Asked {
    position: Position,
    chess: Chess,
    style: Style,
    rule: Rule,
}

enum Rule {
    Weighing(ChoiceOptions),
    Verdicts { horizon: u32, share: u32 },
}

/// A choice, by one of the two rules.
pub struct Choice {
    /// What was chosen, and how; none if the game is over.
    made: Option<Made>,
    /// A short mate that the native solver finds.
    mate: Option<ShortMate>,
}

/// A mate beside the map.
struct ShortMate {
    moves: u32,
    keys: Vec<algorithm50::Move>,
    /// The longest resistance to the chosen move, if it is a key, or to the first key.
    line: Vec<Move>,
}

impl ShortMate {
    fn of(asked: &Asked, played: Option<Move>, limits: &Limits) -> Option<ShortMate> {
        let problem = Problem::from_setup(asked.position.placement.to_setup()).ok()?;
        (1..=MATE_MOVES).find_map(|moves| {
            let keys = solve(&problem, moves, &limits.afresh()).ok()?.keys;
            let played = played.map(to_uci).filter(|played| keys.contains(played));
            let tree = solve_key(&problem, moves, played.or_else(|| keys.first().copied())?, &limits.afresh()).ok()?;
            Some(ShortMate { moves, keys, line: main_line(&asked.chess, &tree.line) })
        })
    }
}

enum Made {
    Weighed(Box<MapChoice>),
    ByVerdicts(VerdictChoice),
}

/// `mate` or `stalemate` if the game is over.
fn over(chess: &Chess) -> Option<&'static str> {
    let mated = chess.is_checkmate().then_some("mate");
    mated.or_else(|| chess.is_stalemate().then_some("stalemate"))
}

/// Why a side has no legal move; none if it has one.
pub(crate) fn no_move(position: &Placement) -> Option<Message> {
    let chess = Chess::try_from(position).ok()?;
    over(&chess).map(|how| told!("best-no-move", side = chess.turn(), how))
}

impl Question for Best {
    const NAME: &'static str = "best";
    const FORM: Option<Form> = Some(Form {
        fields: &[FormField::number("horizon_limit", "3", 1..=9)],
        example: "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16",
    });
    const ENGINE: Engine = Engine::Native;
    const SUITE: bool = true;
    type Program = ExperimentProgram;
    type Subject = Asked;
    type Answer = Choice;

    fn subject(&self, engine: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let position = self.position.needed(context)?;
        let chess = position.legal()?;
        let rule = if engine == Engine::Native {
            if self.share.is_some() {
                return Err(Refused::usage(told!("best-share")));
            }
            let usual = ChoiceOptions::default();
            Rule::Weighing(ChoiceOptions {
                style: self.style.0,
                positions: self.positions.map_or(usual.positions, Within::get),
                horizon_limit: self.horizon_limit.map_or(usual.horizon_limit, Within::small),
                nu: self.nu,
            })
        } else {
            if self.positions.is_some() || self.nu.is_some() {
                return Err(Refused::usage(told!("best-native-options", engine = engine.choice_name())));
            }
            let horizon = self.horizon_limit.map_or(USUAL_HORIZON, Within::small);
            let share = self.share.map_or(USUAL_SHARE, Within::small);
            refuse_beyond_machine(&position.placement, horizon, share.into())?;
            Rule::Verdicts { horizon, share }
        };
        Ok(Asked { position, chess, style: self.style.0, rule })
    }

    fn native(asked: &Asked, context: &Context<'_>) -> Result<Choice, Refused> {
        let chess = &asked.chess;
        let options = match &asked.rule {
            Rule::Weighing(options) => options,
            Rule::Verdicts { horizon, share } => {
                let (placement, share) = (&asked.position.placement, u64::from(*share));
                let made = VerdictChoice::of(
                    Interpretation::default(),
                    placement,
                    *horizon,
                    share,
                    asked.style,
                    &context.limits,
                );
                let made = Some(Made::ByVerdicts(made.map_err(too_many)?));
                return Ok(Choice { made, mate: None });
            }
        };
        let tell = |news: HorizonNews| {
            let best = news.best.map(|(line, _)| numbered(chess, &line[..1])).unwrap_or_default();
            context.host.at(&told!("best-at", horizon = news.horizon.to_string(), best = in_letters(best)));
        };
        let chosen = choose_among(chess, &[], &chess.legal_moves(), options, &context.limits, &tell);
        let made = chosen.map_err(too_many)?.map(|choice| Made::Weighed(Box::new(choice)));
        let mut found = Choice { made, mate: None };
        if found.made.is_some() {
            let limits = context.limits.with_positions(MATE_POSITIONS);
            found.mate = ShortMate::of(asked, found.played(asked), &limits);
        }
        Ok(found)
    }

    fn machine(&Put { asked, native, machine }: &Put<'_, Self>) -> Result<Ran<Choice>, Refused> {
        let Rule::Verdicts { horizon, share } = asked.rule else {
            return Err(Refused::usage(told!("engine-native-only", question = Self::NAME)));
        };
        machine.context.host.at(&told!("best-on-machine", horizon = horizon.to_string()));
        let run =
            machine.program.choose(cells(&asked.position.placement, horizon, share), asked.style, &machine.settings);
        let mut run = run.map_err(cannot_run)?;
        if let Some(Made::ByVerdicts(native)) = native.and_then(|native| native.made.as_ref()) {
            m220_chess::map::refuse_if_store_was_full(native, &mut run);
        }
        Ok(Ran::from(run).map(|choice| Choice { made: Some(Made::ByVerdicts(choice)), mate: None }))
    }

    fn differences(native: &Choice, machine: &Choice) -> Vec<Difference> {
        match (&native.made, &machine.made) {
            (Some(Made::ByVerdicts(native)), Some(Made::ByVerdicts(machine))) => compare_choices(native, machine),
            _ => Vec::new(),
        }
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let Rule::Verdicts { horizon, share } = asked.rule else {
            return Err(Refused::usage(told!("engine-native-only", question = Self::NAME)));
        };
        let question = cells(&asked.position.placement, horizon, share);
        let run = machine.program.prepare_choice(question, asked.style, &machine.settings).map_err(cannot_run)?;
        let notes = notes_of_position(&asked.position.placement);
        Ok(Prepared::of_devices(told!("best-title"), notes, &machine.program, run))
    }

    fn about(&self, given: &SuitePosition) -> Result<Best, Refused> {
        Ok(Best { position: GivenPosition::of_fen(&given.fen), ..self.clone() })
    }

    fn judged(asked: &Asked, found: &Choice, given: &SuitePosition, _: &Words) -> Judged {
        let chosen = found.played(asked).map(|played| to_uci(played).to_string());
        Judged::of_move(chosen, given, String::new())
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Choice>) -> impl Serialize + 'a {
        let mut document = document(asked, found);
        with_queens(&mut document, asked.chess.board());
        document
    }

    fn say(asked: &Asked, found: &Choice, words: &Words) -> Said {
        let mut said = Said::new(words, &found.headline(asked));
        if let Some(ShortMate { moves, keys, .. }) = &found.mate
            && found.mating_line(asked).is_none()
        {
            let names: Vec<String> = keys.iter().map(|key| san_of(&asked.chess, *key)).collect();
            said = said.with_remark(words, &told!("best-mate", moves = *moves, keys = in_letters(names.join(", "))));
        }
        match &found.made {
            None => said,
            Some(Made::Weighed(choice)) => say_weighed(asked, choice, found.mating_line(asked), said, words),
            Some(Made::ByVerdicts(choice)) => say_verdicts(asked, choice, said, words),
        }
    }

    fn show(asked: &Asked, found: &Choice, words: &Words) -> Shown {
        let chess = &asked.chess;
        let Some(played) = found.played(asked) else {
            return Shown::new(chess.board(), words.say(&found.headline(asked)));
        };
        let only = [played];
        let line = match &found.made {
            Some(Made::Weighed(choice)) if !choice.line.is_empty() => &choice.line[..],
            _ => &only[..],
        };
        let line = &line[..line.len().min(DRAWN)];
        let next = after(chess, played);
        let mut shown = Shown::new(next.board(), words.say(&found.headline(asked)));
        shown.legend.push(words.say(&told!("best-board-after", played = in_letters(numbered(chess, &only)))));
        if let Some(Made::Weighed(choice)) = &found.made {
            for piece in &choice.types {
                let shade = match piece.value_type {
                    2 => Shade::Target,
                    3 => Shade::Start,
                    _ => Shade::Way,
                };
                shown.mark(piece.square, piece.value_type.to_string(), shade);
            }
            shown.legend.push(sentences([(!choice.types.is_empty(), Some(told!("best-types-legend")))], words));
        }
        // The chosen move is drawn last, over the others.
        for (index, played) in line.iter().enumerate().rev() {
            let Some(from) = played.from() else { continue };
            let mover = if index % 2 == 0 { chess.turn() } else { chess.turn().other() };
            shown.arrow(mover, [from, played.to()], index == 0);
        }
        shown
    }
}

impl Choice {
    /// The move.
    fn played(&self, asked: &Asked) -> Option<Move> {
        match &self.made {
            None => None,
            Some(Made::Weighed(choice)) => Some(choice.played),
            Some(Made::ByVerdicts(choice)) => choice.best?.in_game(&asked.chess),
        }
    }

    /// The line of the chosen move, if it ends in mate on the board.
    fn mating_line(&self, asked: &Asked) -> Option<&[Move]> {
        let played = self.played(asked)?;
        let short = self.mate.as_ref().filter(|mate| mate.line.first() == Some(&played)).map(|mate| &mate.line[..]);
        short.or_else(|| match &self.made {
            Some(Made::Weighed(choice)) => {
                end_of(&asked.chess, &choice.line).filter(|last| last.is_checkmate()).map(|_| &choice.line[..])
            }
            _ => None,
        })
    }

    /// The choice for somebody who plays chess.
    fn headline(&self, asked: &Asked) -> Message {
        let (Some(made), Some(played)) = (&self.made, self.played(asked)) else {
            return no_move(&asked.position.placement).unwrap_or_else(|| told!("best-none"));
        };
        let name = numbered(&asked.chess, &[played]);
        if let Some(line) = self.mating_line(asked) {
            let winner = if line.len() % 2 == 1 { asked.chess.turn() } else { asked.chess.turn().other() };
            return told!("best-mates", side = winner, line = in_letters(numbered(&asked.chess, line)));
        }
        told!("best-chosen", played = in_letters(name), reason = reason(made))
    }
}

/// The position at the end of a line; none if it is empty.
fn end_of(start: &Chess, line: &[Move]) -> Option<Chess> {
    (!line.is_empty()).then(|| line.iter().fold(start.clone(), |position, played| after(&position, *played)))
}

/// Why a move was chosen.
fn reason(made: &Made) -> Message {
    let choice = match made {
        Made::Weighed(choice) => choice,
        Made::ByVerdicts(choice) => return verdict_reason(choice),
    };
    match &choice.reason {
        ChoiceReason::OnlyMove => told!("best-only"),
        ChoiceReason::WinsByRules { horizon, gain } => {
            let king = gain.unsigned_abs() >= DOOMED_KING;
            let (gain, horizon) = (gain.unsigned_abs().to_string(), horizon.to_string());
            match choice.evidence {
                WinEvidence::Mate => told!("best-is-mate"),
                WinEvidence::Agreement if king => told!("best-ahead-king", horizon),
                WinEvidence::Agreement => told!("best-ahead", horizon, gain),
                WinEvidence::None if king => told!("best-king-doomed", horizon),
                WinEvidence::None => told!("best-gains", horizon, gain),
            }
        }
        ChoiceReason::KeepsHope => told!("best-keeps-hope"),
        ChoiceReason::LeastLoss { horizon, worth } if worth.unsigned_abs() >= DOOMED_KING => {
            told!("best-all-behind-king", horizon = horizon.to_string())
        }
        ChoiceReason::LeastLoss { horizon, worth } => {
            told!("best-all-behind", horizon = horizon.to_string(), pawns = worth.unsigned_abs())
        }
        ChoiceReason::Assessment => told!("best-assessment"),
        ChoiceReason::Weight => told!("best-weight"),
        ChoiceReason::NewPosition => told!("best-new-position"),
        ChoiceReason::Name => told!("best-name"),
    }
}

/// Why the shorter rule chose a move.
pub(crate) fn verdict_reason(choice: &VerdictChoice) -> Message {
    let standing = choice.moves.iter().find(|(each, _)| Some(each.step) == choice.best).map(|(_, standing)| *standing);
    let (group, verdict) = match standing {
        Some(Standing::Wins { horizon, agreeing, .. }) => {
            let nearer = match agreeing {
                1 => told!("best-nearer-none"),
                all if all == horizon => told!("best-nearer-all"),
                some => told!("best-nearer-some", count = some - 1),
            };
            ("ahead", Some(told!("best-ahead-at", horizon = horizon.to_string(), nearer)))
        }
        Some(Standing::Loses) => ("behind", Some(told!("best-all-lose"))),
        _ => ("holding", None),
    };
    let more = match choice.reason() {
        None | Some(VerdictReason::Wins) => None,
        Some(VerdictReason::KeepsHope) => Some(told!("best-keeps-hope")),
        Some(VerdictReason::Assessment) => Some(told!("best-assessment-of", group)),
        Some(VerdictReason::Weight) => Some(told!("best-weight-of", group)),
        Some(VerdictReason::Name) => Some(told!("best-name-of", group)),
    };
    match (verdict, more) {
        (Some(verdict), Some(more)) => told!("with-advice", reason = verdict, advice = more),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => told!("best-none"),
    }
}

/// A number with its sign; zero has none.
fn signed(number: i32) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}

fn table(title: &Message, rows: Vec<Row>, words: &Words) -> Part {
    Part::Table {
        title: words.say(title),
        columns: vec![
            Column::words(words, &told!("best-move"), None),
            Column::words(words, &told!("best-looked-at"), Some("candidate")),
            Column::figures(words, &told!("best-e-plus"), Some("e-plus")),
            Column::figures(words, &told!("best-w"), Some("weight")),
            Column::words(words, &told!("best-verdict"), Some("verdict")),
        ],
        rows,
        shown: Some(SHOWN),
    }
}

fn say_weighed(asked: &Asked, choice: &MapChoice, mates: Option<&[Move]>, mut said: Said, words: &Words) -> Said {
    let chess = &asked.chess;
    said = said.with_proof(chess, mates.unwrap_or(&choice.line), words);
    if choice.line.len() == 1 && mates.is_none() {
        said = said.with_remark(words, &told!("best-no-reply"));
    }
    if choice.empty_map {
        said = said.with_remark(words, &told!("best-empty-map"));
    }
    if choice.interrupted {
        said = said.with_remark(words, &told!("best-interrupted"));
    }
    if EndingPosition::new(&asked.position.placement).is_ok() {
        said = said.with_remark(words, &told!("best-ending"));
    } else if choice.reason == ChoiceReason::Name {
        said = said.with_remark(words, &told!("best-all-equal"));
    }
    let rows = choice.candidates.iter().map(|candidate| Considered::weighed(chess, candidate).row(words));
    let rows: Vec<Row> = rows.collect();
    let has_table = !rows.is_empty();
    if has_table {
        said.parts.push(table(&told!("best-table"), rows, words));
    }
    let horizons = choice.horizons.iter().map(|done| horizon_item(done, chess, words));
    said = said.with_list(words.say(&told!("best-horizons")), horizons);
    let [white, black] = choice.closed_squares.map(|count| count.to_string());
    let map = told!("best-map", count = choice.positions, horizon = choice.horizon, white, black);
    said.parts.push(Part::line(words, &map));
    said = say_types(choice, said, words);
    if has_table { said.with_remark(words, &told!("best-legend")) } else { said }
}

/// A horizon in a line.
fn horizon_item(done: &HorizonDone, chess: &Chess, words: &Words) -> Item {
    let (horizon, count) = (done.horizon.to_string(), done.positions);
    let complete = if done.complete { "yes" } else { "no" };
    let ahead: Vec<String> = done.winning.iter().map(|step| name_of(chess, *step)).collect();
    let line = match ahead.is_empty() {
        true => told!("best-horizon-nothing", horizon, count, complete),
        false => told!("best-horizon", horizon, count, complete, moves = in_letters(ahead.join(" "))),
    };
    Item::new(words.say(&line), [])
}

/// The pieces under attack after the move, by their types of value.
fn say_types(choice: &MapChoice, said: Said, words: &Words) -> Said {
    let types = [(2, "best-type-2"), (3, "best-type-3"), (4, "best-type-4")];
    let mut items = Vec::new();
    for (value_type, key) in types {
        for side in Color::ALL {
            let of_side = choice.types.iter().filter(|piece| piece.value_type == value_type && piece.color == side);
            let list: Vec<Message> = of_side.map(piece_words).collect();
            if !list.is_empty() {
                let line = Message::told(key, &["side", "pieces"], &[&side, &list]);
                items.push(Item::new(words.say(&line), []));
            }
        }
    }
    said.with_list(words.say(&told!("best-types")), items)
}

/// `queen e6 (9)`; a king is not counted in pawns, and a safe piece loses nothing.
fn piece_words(piece: &TypedPiece) -> Message {
    let loses = !matches!(piece.role, Some(Role::King)) && piece.value_type != 4;
    let pawns = if loses { format!(" ({})", piece.pawns.unsigned_abs()) } else { String::new() };
    match piece.role {
        Some(role) => told!("best-piece", role, square = piece.square, pawns),
        None => told!("best-promotion", square = piece.square, pawns),
    }
}

fn say_verdicts(asked: &Asked, choice: &VerdictChoice, mut said: Said, words: &Words) -> Said {
    let (chess, turn) = (&asked.chess, asked.chess.turn());
    let own = |e_plus: i32| turn.fold_wb(e_plus, -e_plus);
    let mut moves: Vec<_> = choice.moves.iter().collect();
    moves.sort_by_key(|(each, standing)| std::cmp::Reverse((*standing, own(each.e_plus), each.weight)));
    let rows = moves.into_iter().map(|each| Considered::by_verdicts(chess, each).row(words));
    said.parts.push(table(&told!("best-table-verdicts"), rows.collect(), words));
    let horizons =
        (1..).zip(&choice.horizons).map(|(horizon, firsts)| horizon_item(&done(horizon, firsts), chess, words));
    said = said.with_list(words.say(&told!("best-horizons")), horizons);
    if let Rule::Verdicts { share, .. } = asked.rule {
        said = said.with_remark(words, &told!("best-of-share", share));
    }
    said.with_remark(words, &told!("best-legend"))
}

fn name_of(chess: &Chess, step: Step) -> String {
    step.in_game(chess).map_or_else(|| step.to_string(), |played| san(chess, played))
}

const fn group_name(group: CandidateGroup) -> &'static str {
    match group {
        CandidateGroup::Attack => "attack",
        CandidateGroup::Negation => "negation",
        CandidateGroup::Positional => "positional",
        CandidateGroup::Legal => "legal",
    }
}

/// What the rule of verdicts has found out at a horizon.
fn done(horizon: u32, firsts: &[FirstVerdict]) -> HorizonDone {
    let wins = firsts.iter().filter(|first| first.verdict == LineVerdict::Wins);
    HorizonDone {
        horizon,
        complete: firsts.iter().all(|first| first.verdict.is_settled()),
        positions: firsts.iter().map(|first| first.positions).sum(),
        winning: wins.map(|first| first.step).collect(),
    }
}

/// A horizon in the document.
#[derive(Serialize)]
struct HorizonRecord<'a> {
    #[serde(flatten)]
    done: HorizonDone,
    /// Every first move with its verdict.
    firsts: Option<&'a [FirstVerdict]>,
}

/// A move of the table, by either rule; what only one of them has is null by the other.
#[derive(Serialize)]
struct Considered {
    #[serde(rename = "move")]
    written: String,
    san: String,
    /// Why it was looked at.
    group: Option<CandidateGroup>,
    wins: bool,
    loses: bool,
    assessment_pawns: i32,
    weight: String,
    seen_before: Option<bool>,
    /// What the farthest horizon says.
    standing: Option<Standing>,
    #[serde(skip)]
    way: [Square; 2],
}

impl Considered {
    fn weighed(chess: &Chess, candidate: &Candidate) -> Considered {
        let played = candidate.played;
        Considered {
            written: to_uci(played).to_string(),
            san: san(chess, played),
            group: Some(candidate.group),
            wins: candidate.wins,
            loses: candidate.loses,
            assessment_pawns: candidate.assessment,
            weight: candidate.weight.to_string(),
            seen_before: Some(candidate.seen_before),
            standing: None,
            way: [played.from().unwrap_or(played.to()), played.to()],
        }
    }

    fn by_verdicts(chess: &Chess, (each, standing): &(WeighedMove, Standing)) -> Considered {
        Considered {
            written: each.step.to_string(),
            san: name_of(chess, each.step),
            group: None,
            wins: matches!(standing, Standing::Wins { .. }),
            loses: *standing == Standing::Loses,
            assessment_pawns: each.e_plus,
            weight: chess.turn().fold_wb(each.weight, -each.weight).to_string(),
            seen_before: None,
            standing: Some(*standing),
            way: [each.step.from, each.step.to],
        }
    }

    fn row(self, words: &Words) -> Row {
        let verdict = match (self.standing, self.wins, self.loses) {
            (Some(Standing::Wins { horizon, .. }), ..) => {
                Some(told!("best-row-ahead-at", horizon = horizon.to_string()))
            }
            (_, true, _) => Some(told!("best-row-ahead")),
            (_, false, true) => Some(told!("best-row-behind")),
            (_, false, false) => None,
        };
        let seen = self.seen_before.filter(|seen| *seen).map(|_| told!("best-row-seen"));
        let verdict: Vec<Message> = verdict.into_iter().chain(seen).collect();
        let group = self.group.map(|group| words.say(&told!("best-group", group = group_name(group))));
        let (group, e_plus) = (group.unwrap_or_default(), signed(self.assessment_pawns));
        Row {
            cells: vec![words.moves(&self.san), group, e_plus, self.weight, words.list(&verdict)],
            ways: ways([&self.way[..]]),
        }
    }
}

/// The document. Values are in pawns, as White sees them; what only one of the two rules has is null by the other.
fn document(asked: &Asked, found: Option<&Choice>) -> Value {
    let chess = &asked.chess;
    let played = found.and_then(|found| found.played(asked));
    let made = found.and_then(|found| found.made.as_ref());
    let (mut weighed, mut reason, mut worth) = (None, None, None);
    let (mut horizons, mut candidates) = (Vec::new(), Vec::new());
    match made {
        None => {}
        Some(Made::Weighed(choice)) => {
            (weighed, reason) = (Some(choice), Some(json!(choice.reason)));
            worth = Some((choice.assessment, choice.weight.to_string()));
            horizons.extend(choice.horizons.iter().cloned().map(|done| HorizonRecord { done, firsts: None }));
            candidates.extend(choice.candidates.iter().map(|each| Considered::weighed(chess, each)));
        }
        Some(Made::ByVerdicts(choice)) => {
            reason = choice.reason().map(|reason| json!({ "kind": reason }));
            horizons.extend((1..).zip(&choice.horizons).map(|(horizon, firsts)| {
                let firsts = &firsts[..];
                HorizonRecord { done: done(horizon, firsts), firsts: Some(firsts) }
            }));
            candidates.extend(choice.moves.iter().map(|each| Considered::by_verdicts(chess, each)));
            let chosen = choice.moves.iter().position(|(each, _)| Some(each.step) == choice.best);
            worth = chosen.map(|chosen| (candidates[chosen].assessment_pawns, candidates[chosen].weight.clone()));
        }
    }
    let (assessment, weight) = worth.unzip();
    let line = weighed.iter().flat_map(|choice| &choice.line);
    json!({
        "fen": fen(chess),
        "turn": colour_name(chess.turn()),
        "style": asked.style,
        // Null if the game is over.
        "move": played.map(to_uci),
        "san": played.map(|played| san(chess, played)),
        // `mate` or `stalemate` if the game is over.
        "over": over(&asked.chess),
        // The rule that singled the move out.
        "reason": reason,
        // The line that the move counts on; empty if there is none.
        "line": line.map(|played| to_uci(*played)).collect::<Vec<_>>(),
        // A short mate that the native solver finds, in moves; null if there is none.
        "mate_in": found.and_then(|found| found.mate.as_ref()).map(|mate| mate.moves),
        // The first moves of that mate: the map's move need not be one of them.
        "mate_keys": found.and_then(|found| found.mate.as_ref()).map(|mate| &mate.keys),
        // The horizon of the map, in half-moves.
        "map_horizon": weighed.map(|choice| choice.horizon),
        // The map has no attack: only assessment and weight decided.
        "empty_map": weighed.map(|choice| choice.empty_map),
        // E+ after the move.
        "assessment_pawns": assessment,
        // W of the move: a fraction such as `5/2`.
        "weight": weight,
        // q of each side's attacks before the move.
        "closed_fields": weighed.map(|choice| choice.closed_squares).map(|[white, black]| BySide { white, black }),
        // Those that win by the rules stand under `winning`.
        "horizons": horizons,
        "candidates": candidates,
        // The pieces under attack after the move.
        "types": weighed.map(|choice| &choice.types),
        // Those looked into.
        "positions": weighed.map_or_else(|| horizons.iter().map(|each| each.done.positions).sum(), |choice| choice.positions),
    })
}
