//! The analysis of a position by its map: the tree of sensible moves, each tested by the inequality of hope.

mod names;
mod tree;

use crate::best::no_move;
use crate::map::too_many;
use crate::prelude::*;
use chess_reference::map::{
    AfterLine, Analysis, Cut, Effort, FirstVerdict, Interpretation, Letters, LineVerdict, Reason, Recommendation, Step,
    Test, Variation, analyse, analyse_by,
};
use m220_chess::map::{AnalysisQuestion, BegunAnalysis, MOST_HORIZON, MOST_SHARE, MachineAnalysis, is_held};
use m220_chess::trajectories::AttacksQuestion;
use m220_chess::{ExperimentProgram, TrajectoryProgram};
use names::NumberedGame;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Analyse a position by its mathematical map
///
/// Makes the sensible moves of the map, tests each by the inequality of hope, (9') or (9''), lets the other side answer
/// in the same way, and so on; a side that cannot satisfy its inequality has lost the variation. A side may also stop:
/// then formula (12) says who has won. A move is chosen if it wins. Botvinnik 1968, chapters II and IV. Exit code 4: no
/// move is chosen.
///
/// Limits: 20,000 positions at each horizon (--max-positions), more than the machine has room for; here they take a
/// second or two. A far horizon soon reaches that limit, and then there is no verdict. Nor is there one when a million
/// positions, 100 MB, are in memory: those examined and their successors, a dozen or so each. The machine program
/// (--engine m220 or both) looks 1 to 4 half-moves ahead, takes 16 pieces a side, and has room for some 3,600 positions
/// per first move; a position that does not fit ends it with exit code 4. For Fig. 22 it takes 1.7 billion
/// instructions, twelve hours of the M-220 and less than a minute here. With --checkpoint FILE it can be stopped, by
/// --max-instructions, --timeout or Ctrl-C; the same command with --resume FILE instead continues, to the same result.
///
/// Wins, losses and "nobody wins" are verdicts by these rules, within the horizon: how often they hold on the board is
/// counted in docs/where-the-book-is-silent.md of the crate chess-reference.
///
/// Each line is a half-move with its inequality. On the left, in pawns: what White has won minus what Black has won,
/// including what the half-move captures and what the reply threatens. On the right: what the mover's attacks doom, and
/// what the mover may hope for. White goes on while the left side is not less than minus the right, (9'). Black's gains
/// count as negative, so his inequality is reversed: he goes on while the left side is not greater than the right,
/// (9''). `stop` ends the variation. "rejected at once": the inequality does not hold. "does not win": the other
/// question is still open. "not examined": the verdict did not need it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 analyse --position fig22 --share 200 --engine both
  m220 analyse --position opera --depth 3 --svg tree.svg")
)]
pub struct Analyse {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// The most half-moves that an attack may take
    #[cfg_attr(feature = "clap", arg(long, value_name = "H", default_value_t))]
    horizon: Within<1, 60, 3>,
    /// Begin with horizon 1 and deepen step by step, as the book does, until a move is chosen or this horizon is done
    #[cfg_attr(feature = "clap", arg(long, value_name = "H", conflicts_with = "horizon"))]
    max_horizon: Option<Within<1, 60>>,
    /// Stop after examining N positions (at each horizon); the machine has no such limit [default: 20000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    max_positions: Option<Within<1, { u64::MAX }>>,
    /// Look into at most N positions for each first move
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    share: Option<Within<1, { u64::MAX }>>,
    /// Show N half-moves of the tree
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    depth: Within<0, 60, 2>,
    /// Show the position after these moves, with the test of every sensible move there: UCI notation
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVES"))]
    line: Option<Text<Line>>,
    /// The letters for the pieces [default: those of the language]
    #[cfg_attr(feature = "clap", arg(long))]
    letters: Option<Text<Letters>>,
    /// Write the part of the tree shown to this file, for Graphviz
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    dot: Option<ResultFile>,
}

/// The limit of positions if none is given.
const USUAL_POSITIONS: u64 = 20_000;

/// Moves from the root, separated by spaces or commas.
#[derive(Clone, PartialEq, Debug)]
pub struct Line(Vec<Step>);

impl Field for Line {
    fn read(text: &str) -> Result<Line, Message> {
        let step = |word: &str| {
            let squares = || Some((word.get(..2)?.parse().ok()?, word.get(2..4)?.parse().ok()?));
            match squares() {
                Some((from, to)) if word.len() == 4 || (word.len() == 5 && word.ends_with('q')) => {
                    Ok(Step { from, to })
                }
                _ => Err(told!("field-line", text = word)),
            }
        };
        text.split([' ', ',']).filter(|word| !word.is_empty()).map(step).collect::<Result<_, _>>().map(Line)
    }

    fn write(&self) -> String {
        self.0.iter().map(Step::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// A position, and how it is analysed.
pub struct Asked {
    position: Position,
    horizons: RangeInclusive<u32>,
    effort: Effort,
    share: u32,
    /// The machine looks beside, which bounds the native analysis by the share alone.
    with_machine: bool,
    depth: u32,
    line: Option<Vec<Step>>,
    letters: Option<Letters>,
    dot: Option<ResultFile>,
}

impl Asked {
    fn cells(&self, horizon: u32) -> AnalysisQuestion<'_> {
        cells(&self.position.placement, horizon, self.share)
    }

    fn game(&self, words: &Words) -> NumberedGame {
        NumberedGame::at(&self.position.placement, self.letters(words))
    }

    fn letters(&self, words: &Words) -> Letters {
        self.letters.unwrap_or(words.letters())
    }
}

/// The analyses with one horizon after the other, and the position after a line.
#[derive(Default)]
pub struct Analysed {
    horizons: Vec<WithHorizon>,
    line: Option<(Vec<Step>, AfterLine)>,
    /// The M-220's time for the first step of an analysis, in us, where it does no more of it.
    survey_us: Option<f64>,
}

/// The analysis with one horizon, by either engine.
struct WithHorizon {
    horizon: u32,
    firsts: Vec<FirstVerdict>,
    outcome: Recommendation,
    complete: bool,
    /// The native tree, and what is shown of it.
    tree: Option<(Analysis, Vec<Variation>)>,
}

impl WithHorizon {
    /// The move that wins by the rules of the analysis.
    fn chosen(&self) -> Option<Step> {
        match self.outcome {
            Recommendation::Chosen(step) => Some(step),
            Recommendation::NoVerdict(_) => None,
        }
    }

    fn positions(&self) -> u64 {
        match &self.tree {
            Some((analysis, _)) => analysis.positions,
            None => self.firsts.iter().map(|first| first.positions).sum(),
        }
    }

    /// The machine's analysis, with its recommendation by the rule of the native one.
    fn of_machine(horizon: u32, found: &MachineAnalysis) -> WithHorizon {
        let firsts: Vec<FirstVerdict> = found.moves.iter().map(|first| first.found).collect();
        let outcome = Recommendation::of(&firsts);
        let complete = firsts.iter().all(|first| first.verdict.is_settled());
        WithHorizon { horizon, firsts, outcome, complete, tree: None }
    }
}

impl Question for Analyse {
    const NAME: &'static str = "analyse";
    const FORM: Option<Form> = Some(Form {
        fields: &[FormField::number("horizon", "3", 1..=9)],
        example: "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30",
    });
    const ENGINE: Engine = Engine::Native;
    const SUITE: bool = true;
    const STOPPABLE: bool = true;
    type Program = ExperimentProgram;
    type Subject = Asked;
    type Answer = Analysed;

    fn subject(&self, engine: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let position = self.position.needed(context)?;
        let horizons = match self.max_horizon {
            Some(last) => 1..=last.small(),
            None => self.horizon.small()..=self.horizon.small(),
        };
        let with_machine = engine != Engine::Native;
        if !with_machine && context.host.keeps_machine() || context.host.keeps_machine() && self.max_horizon.is_some() {
            return Err(Refused::usage(told!("analyse-checkpoint")));
        }
        let share = self.share.map(Within::get);
        if with_machine {
            if self.max_positions.is_some() {
                return Err(Refused::usage(told!("analyse-max-positions", engine = engine.choice_name())));
            }
            refuse_beyond_machine(&position.placement, *horizons.end(), share.unwrap_or_default())?;
        }
        if engine == Engine::M220 && (self.line.is_some() || self.dot.is_some()) {
            return Err(Refused::usage(told!("analyse-native-tree")));
        }
        let positions = self.max_positions.map_or(USUAL_POSITIONS, Within::get);
        let positions = if with_machine { u64::MAX } else { positions };
        let machine_share = share.and_then(|share| u32::try_from(share).ok()).unwrap_or(MOST_SHARE);
        let share = share.unwrap_or(if with_machine { MOST_SHARE.into() } else { u64::MAX });
        Ok(Asked {
            position,
            horizons,
            effort: Effort { share, ..Effort::of(positions) },
            share: machine_share,
            with_machine,
            depth: self.depth.small(),
            line: self.line.as_ref().map(|line| line.0.0.clone()),
            letters: self.letters.as_deref().copied(),
            dot: self.dot.clone(),
        })
    }

    fn native(asked: &Asked, context: &Context<'_>) -> Result<Analysed, Refused> {
        let placement = &asked.position.placement;
        let mut horizons: Vec<WithHorizon> = Vec::new();
        for horizon in asked.horizons.clone() {
            let at = told!("analyse-at", horizon = horizon.to_string(), count = asked.effort.positions);
            context.host.at(&at);
            let analysis = match asked.with_machine {
                true => analyse_by(Interpretation::default(), placement, horizon, asked.effort, &context.limits),
                false => analyse(placement, horizon, asked.effort, &context.limits),
            };
            let analysis = analysis.map_err(too_many)?;
            let variations = analysis.variations(asked.depth, &for_showing(&context.limits)).map_err(too_many)?;
            let ended = analysis.interrupted || matches!(analysis.outcome, Recommendation::Chosen(_));
            horizons.push(WithHorizon {
                horizon,
                firsts: analysis.moves.iter().map(FirstVerdict::from).collect(),
                outcome: analysis.outcome,
                complete: analysis.is_complete(),
                tree: Some((analysis, variations)),
            });
            if ended {
                break;
            }
        }
        let mut line = None;
        if let (Some(moves), Some((analysis, _))) =
            (&asked.line, horizons.last_mut().and_then(|last| last.tree.as_mut()))
        {
            line = Some(follow(analysis, moves.clone(), asked.effort.positions, &context.limits)?);
        }
        if let (Some(path), Some((analysis, shown))) = (&asked.dot, horizons.last().and_then(|last| last.tree.as_ref()))
        {
            context.host.write(path, tree::dot(analysis, shown, asked.letters.unwrap_or_default()).as_bytes())?;
        }
        let survey_us = if asked.with_machine { None } else { survey(placement, context) };
        Ok(Analysed { horizons, line, survey_us })
    }

    fn machine(&Put { asked, native, machine }: &Put<'_, Self>) -> Result<Ran<Analysed>, Refused> {
        let Asking { program, settings, context, .. } = machine;
        let mut found = Analysed::default();
        let mut all: Option<Ran<()>> = None;
        for horizon in asked.horizons.clone() {
            let tree = native.map(|native| native.horizons.iter().find(|one| one.horizon == horizon));
            let Some(tree) = tree.map_or(Some(None), |one| one.map(|one| one.tree.as_ref())) else { break };
            context.host.at(&told!("analyse-on-machine", horizon = horizon.to_string()));
            let mut begun: BegunAnalysis = program.begin(asked.cells(horizon), settings).map_err(cannot_run)?;
            if let Some(stopped) = context.host.stopped()? {
                begun = program.resume(begun, stopped).map_err(|why| context.host.refuse_stopped(why))?;
            }
            let run = program.go_on(&mut begun, settings);
            // Before anything is shown: a closed standard output must not lose hours of the machine's time.
            context.host.keep(begun.machine())?;
            let verdict = match tree {
                Some((analysis, _)) => {
                    Some(program.judge(analysis, &run, asked.cells(horizon), settings).map_err(cannot_run)?)
                }
                None => None,
            };
            let mut record = MachineRecord::of(&run);
            record.store = run.answer().map(|answer| answer.store);
            let answered = run.answer().map(|answer| WithHorizon::of_machine(horizon, answer));
            let ran = Ran { record, outcome: run.outcome, also: verdict }.map(|_| ());
            all = Some(ran.after(all.take()));
            let Some(answered) = answered else { break };
            found.horizons.push(answered);
            if found.horizons.last().is_some_and(|last| last.chosen().is_some()) {
                break;
            }
        }
        let all = all.ok_or_else(|| Refused::usage(told!("analyse-no-horizon")))?;
        Ok(all.map(|()| found))
    }

    fn is_settled(found: &Analysed) -> bool {
        found.horizons.last().is_some_and(|last| last.chosen().is_some())
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let horizon = *asked.horizons.end();
        let run = machine.program.prepare(asked.cells(horizon), &machine.settings).map_err(cannot_run)?;
        let title = told!("analyse-within", horizon);
        Ok(Prepared::new(title, Notes::default(), &machine.program, run))
    }

    fn about(&self, given: &SuitePosition) -> Result<Analyse, Refused> {
        Ok(Analyse { position: GivenPosition::of_fen(&given.fen), line: None, dot: None, ..self.clone() })
    }

    fn judged(asked: &Asked, found: &Analysed, given: &SuitePosition, words: &Words) -> Judged {
        let Some(last) = found.horizons.last() else { return Judged::default() };
        let note = told!("analyse-suite-note", horizon = last.horizon.to_string(), count = last.positions());
        // The map's moves are pairs of squares, those of a suite say what a pawn becomes.
        let chess = Chess::try_from(&asked.position.placement).ok();
        let played = |step: Step| Some(to_uci(step.in_game(chess.as_ref()?)?).to_string());
        let chosen = last.chosen().map(|step| played(step).unwrap_or_else(|| step.to_string()));
        Judged::of_move(chosen, given, words.say(&note))
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Analysed>) -> impl Serialize + 'a {
        let horizons = found.map_or(&[][..], |found| &found.horizons);
        let line = found.and_then(|found| found.line.as_ref());
        // Values are in pawns, times in half-moves.
        let mut document = json!({
            "fen": asked.position.placement.to_fen(),
            "turn": colour_name(asked.position.placement.turn),
            // Null if there is no verdict.
            "chosen": horizons.iter().find_map(WithHorizon::chosen),
            // One for each horizon tried; the last one decides.
            "analyses": horizons.iter().map(horizon_record).collect::<Vec<_>>(),
            // What `line` asked for: the verdict of its last move, from the mover's side, and the position after it.
            "line": line.map(|(moves, after)| json!({
                "moves": moves,
                "verdict": after.verdict,
                "fen": after.position.to_fen(),
                "tested": after.tested,
            })),
        });
        with_queens(&mut document, &asked.position.placement.board);
        document
    }

    fn say(asked: &Asked, found: &Analysed, words: &Words) -> Said {
        let game = asked.game(words);
        let Some(last) = found.horizons.last() else { return Said::default() };
        let interrupted = last.tree.as_ref().is_some_and(|(analysis, _)| analysis.interrupted);
        // The map of 1968 does not know that a game is over.
        let over = no_move(&asked.position.placement);
        let mut said = Said::new(words, &over.unwrap_or_else(|| outcome(last.outcome, interrupted, &game)));
        for one in &found.horizons {
            let side = asked.position.placement.turn;
            let (horizon, count, positions) = (one.horizon.to_string(), one.firsts.len(), one.positions());
            let heading = match one.tree.as_ref().map(|(analysis, _)| analysis.tree_size()) {
                Some(size) => told!("analyse-horizon-tree", horizon, side, count, positions, size),
                None => told!("analyse-horizon", horizon, side, count, positions),
            };
            let mut items = Vec::new();
            match &one.tree {
                Some((analysis, shown)) => {
                    for (first, variation) in analysis.moves.iter().zip(shown) {
                        add_variation(variation, &game, 0, words, &mut items);
                        let line = analysis.main_line(first);
                        if !line.is_empty() {
                            let named = NumberedGame::at(&analysis.position, asked.letters(words))
                                .main_line(first, &line, words);
                            let steps = std::iter::once(first.step).chain(line.into_iter().flatten());
                            let drawn: Vec<[_; 2]> = steps.map(|step| [step.from, step.to]).collect();
                            items.push(Item {
                                text: words.say(&told!("analyse-line", line = named)),
                                depth: 1,
                                ways: ways(drawn.iter().map(|way| &way[..])),
                            });
                        }
                    }
                }
                None => {
                    for first in &one.firsts {
                        let name = game.clone().play(Some(first.step), words);
                        let said = words.say(&verdict(first.verdict, side));
                        let text = match first.positions {
                            0 => format!("{name}: {said}"),
                            count => words.say(&told!("analyse-first", name, verdict = said, count)),
                        };
                        items.push(Item::new(text, [&[first.step.from, first.step.to][..]]));
                    }
                }
            }
            said = said.with_list(words.say(&heading), items);
        }
        if let Some((moves, after)) = &found.line {
            let mut game = game.clone();
            let named = game.line(moves.iter().map(|&step| Some(step)), words);
            let told = verdict(after.verdict, after.position.turn.other());
            let title = words.say(&told!("analyse-after", line = named, verdict = told, fen = after.position.to_fen()));
            let game = NumberedGame::at(&after.position, asked.letters(words));
            let mut items = Vec::new();
            for variation in &after.tested {
                add_variation(variation, &game, 0, words, &mut items);
            }
            said = said.with_list(title, items);
        }
        let positions: u64 = found.horizons.iter().map(WithHorizon::positions).sum();
        if let Some(us) = found.survey_us.filter(|_| positions > 0) {
            let often = us * positions as f64;
            let [once, often] = [us, often].map(|us| Message::Plain(words.time(us)));
            said = said.with_remark(words, &told!("analyse-survey", once, often));
        }
        if interrupted {
            said = said.with_remark(words, &told!("analyse-partial"));
        }
        // Its signs are those of the native tree.
        if last.tree.is_some() {
            said.parts.push(Part::line(words, &told!("analyse-legend")));
        }
        said
    }

    fn show(asked: &Asked, found: &Analysed, words: &Words) -> Shown {
        let heading = found
            .horizons
            .last()
            .map_or_else(String::new, |last| words.say(&outcome(last.outcome, false, &asked.game(words))));
        let mut shown = Shown::new(&asked.position.placement.board, heading);
        if let Some(step) = found.horizons.last().and_then(WithHorizon::chosen) {
            shown.arrow(asked.position.placement.turn, [step.from, step.to], true);
        }
        shown
    }

    fn picture(asked: &Asked, found: &Analysed, _: Color, words: &Words) -> Result<String, Refused> {
        match found.horizons.last().and_then(|last| last.tree.as_ref()) {
            Some((analysis, shown)) => tree::svg(analysis, shown, asked.letters(words), words),
            None => Err(Refused::usage(told!("analyse-native-tree"))),
        }
    }
}

/// The question in the machine's cells.
pub(crate) fn cells(position: &Placement, horizon: u32, share: u32) -> AnalysisQuestion<'_> {
    AnalysisQuestion { position, horizon, interpretation: Interpretation::default(), share }
}

/// What the machine program cannot be asked.
pub(crate) fn refuse_beyond_machine(position: &Placement, horizon: u32, share: u64) -> Result<(), Refused> {
    if !is_held(position) || horizon > MOST_HORIZON {
        let why = Message::from(ExperimentProgram::UNSUPPORTED);
        return Err(Refused::no_verdict(told!("with-advice", reason = why, advice = told!("try-native"))));
    }
    match share > MOST_SHARE.into() {
        true => Err(Refused::no_verdict(told!("analyse-share", share = share.to_string(), most = MOST_SHARE))),
        false => Ok(()),
    }
}

/// The M-220's time for all attacks of a position within the book's three half-moves, in us; none if its tables do not
/// hold them.
fn survey(position: &Placement, context: &Context<'_>) -> Option<f64> {
    let settings = TrajectoryProgram::BUILT_IN.settings(Model::M220, &context.limits);
    let run = TrajectoryProgram::built_in().ok()?.ask(&AttacksQuestion { position, horizon: 3 }, &settings).ok()?;
    run.answer().map(|_| run.report.clock.m220.microseconds())
}

/// The limits on showing the result: if those of the analysis have ended it, a tenth of a second.
fn for_showing(limits: &Limits) -> Limits {
    if limits.is_over() { Limits::default().with_timeout(Duration::from_millis(100)) } else { limits.clone() }
}

/// Plays a line, each of whose moves must be sensible by the map, and looks into the position after it.
fn follow(
    analysis: &mut Analysis,
    moves: Vec<Step>,
    limit: u64,
    limits: &Limits,
) -> Result<(Vec<Step>, AfterLine), Refused> {
    for (played, &step) in moves.iter().enumerate() {
        let known = analysis.sensible_after(&moves[..played]).map_err(too_many)?;
        if !known.contains(&step) {
            let known: Vec<String> = known.iter().map(Step::to_string).collect();
            let (step, at) = (step.to_string(), (played + 1).to_string());
            let (count, known) = (known.len(), known.join(" "));
            return Err(Refused::usage(told!("analyse-not-sensible", step, at, count, known)));
        }
    }
    let after = analysis.after_line(&moves, limit, limits).map_err(too_many)?;
    Ok((moves, after))
}

/// The recommendation in words, or why there is none.
fn outcome(outcome: Recommendation, interrupted: bool, game: &NumberedGame) -> Message {
    match outcome {
        Recommendation::NoVerdict(_) if interrupted => told!("analyse-no-verdict"),
        Recommendation::Chosen(step) => {
            told!("analyse-chosen", name = game.clone().play(Some(step), &Words::default()))
        }
        Recommendation::NoVerdict(Reason::NothingSensible) => told!("analyse-nothing-sensible"),
        Recommendation::NoVerdict(Reason::AllRejected) => told!("analyse-all-rejected"),
        Recommendation::NoVerdict(Reason::PositionLimit) => told!("analyse-position-limit"),
        Recommendation::NoVerdict(Reason::TreeLimit) => told!("analyse-tree-limit"),
    }
}

/// Adds a variation and its replies, each set in by its depth.
fn add_variation(variation: &Variation, game: &NumberedGame, depth: usize, words: &Words, items: &mut Vec<Item>) {
    let mut game = game.clone();
    let mover = game.turn;
    let name = game.play(variation.step, words);
    let cut = match variation.cut {
        Some(Cut::Repetition) => Some(told!("analyse-cut-repetition")),
        Some(Cut::Stop) => Some(told!("analyse-cut-stop")),
        Some(Cut::NotLookedInto) if variation.verdict != LineVerdict::Fails => Some(told!("analyse-cut-open")),
        Some(Cut::NotLookedInto | Cut::Depth) | None => None,
    };
    let cut = cut.map_or_else(String::new, |cut| format!(" {}", words.say(&cut)));
    let (inequality, verdict) = (inequality(&variation.test, mover, words), verdict(variation.verdict, mover));
    let ways = variation.step.map(|step| ways([&[step.from, step.to][..]])).unwrap_or_default();
    items.push(Item { text: format!("{name}  {inequality}: {}{cut}", words.say(&verdict)), depth, ways });
    for reply in &variation.replies {
        add_variation(reply, &game, depth + 1, words, items);
    }
}

/// The verdict in words; a variation's winner is named.
fn verdict(verdict: LineVerdict, mover: Color) -> Message {
    match verdict {
        LineVerdict::Fails => told!("verdict-fails"),
        LineVerdict::Wins => told!("verdict-wins", side = mover),
        LineVerdict::Loses => told!("verdict-wins", side = mover.other()),
        LineVerdict::Even => told!("verdict-even"),
        LineVerdict::NoWin => told!("verdict-no-win", side = mover),
        LineVerdict::NoLoss => told!("verdict-no-win", side = mover.other()),
        LineVerdict::Open => told!("verdict-open"),
    }
}

/// The inequality with its numbers, zeros left out: on the left what was won before the half-move, what it takes and
/// what the reply takes; on the right what is doomed and what may be hoped for.
fn inequality(test: &Test, mover: Color, words: &Words) -> String {
    let mut left = match (test.white_won, test.black_won) {
        (won, 0) => won.to_string(),
        (won, lost) => format!("{won} - {lost}"),
    };
    let (plus, minus) = mover.fold_wb((test.takes, test.threatened), (test.threatened, test.takes));
    if plus != 0 {
        left += &format!(" + {plus}");
    }
    if minus != 0 {
        left += &format!(" - {minus}");
    }
    let part = |key: &'static str, pawns: i32| {
        (pawns != 0).then(|| words.say(&Message::told(key, &["pawns"], &[&pawns.to_string()])))
    };
    let parts = [part("analyse-doomed", test.doomed), part("analyse-hoped", test.hoped)];
    let hope: Vec<String> = parts.into_iter().flatten().collect();
    let hope = if hope.is_empty() { "0".to_owned() } else { hope.join(" + ") };
    let right = match mover {
        Color::White if hope != "0" => format!("-({hope})"),
        _ => hope,
    };
    let own = mover.fold_wb(test.balance(), -test.balance()) + test.takes - test.threatened;
    let relation = match (mover, own + test.doomed + test.hoped >= 0) {
        (Color::White, true) => ">=",
        (Color::White, false) => "<",
        (Color::Black, true) => "<=",
        (Color::Black, false) => ">",
    };
    let king = if test.king_lost { words.say(&told!("analyse-king-lost")) } else { String::new() };
    format!("{left} {relation} {right}{king}")
}

/// A first move.
#[derive(Serialize)]
struct FirstRecord<'a> {
    #[serde(flatten)]
    first: FirstVerdict,
    /// The variation in which the losing side holds out longest, null a stop; null from the machine.
    main_line: Option<Vec<Option<Step>>>,
    /// The inequality with its numbers; null from the machine.
    inequality: Option<&'a Test>,
    cut: Option<Cut>,
    replies: Option<&'a [Variation]>,
}

/// What is found within one horizon.
fn horizon_record(one: &WithHorizon) -> Value {
    let tree = one.tree.as_ref();
    let first = |(index, first): (usize, &FirstVerdict)| {
        let variation = tree.and_then(|(_, shown)| shown.get(index));
        FirstRecord {
            first: *first,
            main_line: tree.map(|(analysis, _)| analysis.main_line(&analysis.moves[index])),
            inequality: variation.map(|variation| &variation.test),
            cut: variation.and_then(|variation| variation.cut),
            replies: variation.map(|variation| &variation.replies[..]),
        }
    };
    json!({
        "horizon": one.horizon,
        "outcome": match one.outcome {
            Recommendation::Chosen(step) => json!({ "kind": "chosen", "move": step }),
            Recommendation::NoVerdict(reason) => json!({ "kind": "no-verdict", "reason": reason }),
        },
        // Every first move's verdict is settled.
        "complete": one.complete,
        // The analysis was ended from outside; its findings stand.
        "interrupted": tree.is_some_and(|(analysis, _)| analysis.interrupted),
        // Those expanded.
        "positions": one.positions(),
        // Nodes of the trees; null from the machine.
        "tree_size": tree.map(|(analysis, _)| analysis.tree_size()),
        "moves": one.firsts.iter().enumerate().map(first).collect::<Vec<_>>(),
    })
}
