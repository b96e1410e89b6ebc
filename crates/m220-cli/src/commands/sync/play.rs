//! `m220 sync play`: two people on one terminal, each move hidden until both are written.

use crate::prelude::*;
use crate::terminal::input::{self, Lines};
use crate::terminal::said;
use chess_reference::names::side_name;
use chess_reference::sync::{LostPieces, PieceValues, SyncGame, SyncMove, Writing, lost_pieces};
use m220_answers::question::verdict_line;
use m220_answers::sync::{
    CarryOut, Doublet, GivenRules, event_words, marked, result_words, rules_of, state, written_text,
};
use m220_answers::{Engines, GivenPosition, ask};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::history::DefaultHistory;
use rustyline::{Completer, Config, Editor, Helper, Hinter, Validator};
use shakmaty::ByColor;
use std::borrow::Cow;

/// Play a game: two people at one terminal, moves hidden until both are written
///
/// Instead of a move each may type: moves (lists what may be written), resign, quit.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 sync play --points
  m220 sync play --save doublets.txt")]
pub struct Args {
    #[command(flatten)]
    position: GivenPosition,
    #[command(flatten)]
    rules: GivenRules,
    /// Add up what each side has lost: queen 9, rook 5, bishop and knight 3, pawn 1
    #[arg(long)]
    points: bool,
    /// Write the doublets into this file, for `m220 sync replay`
    #[arg(long, value_name = "FILE")]
    save: Option<ResultFile>,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    engines: Engines,
    #[command(flatten)]
    time: TimeOptions,
}

/// What a player decided.
enum Decision {
    Writes(SyncMove),
    Resigns,
    Leaves,
}

/// Shows stars in place of the typed text.
#[derive(Completer, Helper, Hinter, Validator)]
struct Mask;

impl Highlighter for Mask {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Owned("*".repeat(line.chars().count()))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        true
    }
}

/// Where the players type: a terminal that hides it, or a stream.
enum HiddenPaper {
    Terminal(Box<Editor<Mask, DefaultHistory>>),
    Stream(Lines),
}

impl HiddenPaper {
    fn new(session: &Session) -> Result<HiddenPaper, Failure> {
        if !input::is_typed() {
            return Ok(HiddenPaper::Stream(input::lines(session)));
        }
        let config = Config::builder().auto_add_history(false).build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Mask));
        Ok(HiddenPaper::Terminal(Box::new(editor)))
    }

    /// A line that a player typed; none at the end.
    fn read(&mut self, prompt: &str, out: &mut Output) -> Result<Option<String>, Failure> {
        match self {
            HiddenPaper::Terminal(editor) => {
                out.flush()?;
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(None),
                    Err(error) => Err(error.into()),
                }
            }
            HiddenPaper::Stream(lines) => {
                writeln!(out, "{prompt}")?;
                out.flush()?;
                let line = lines.next().transpose();
                line.map_err(|error| Failure::BadInput(format!("standard input: {error}")))
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.time.search(session);
    let host = Terminal::new(&Words::default(), session);
    let context = Context::new(session.limits(), &host);
    let start = state(&args.position, &context)?;
    let mut score = format!("{}\n", start.to_fen());
    let game = SyncGame::new(start, rules_of(args.rules.rules.0, args.rules.no_pauses));
    // Whatever happened, the game must not be lost.
    let played = play(args, game, &mut score, &context, session, out);
    if let Some(path) = &args.save {
        session.write_file(path, score.as_bytes())?;
    }
    played
}

/// Plays the game, and adds what is written to the score.
fn play(
    args: &Args,
    mut game: SyncGame,
    score: &mut String,
    context: &Context<'_>,
    session: &Session,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let words = Words::default();
    let rules = game.rules();
    let mut paper = HiddenPaper::new(session)?;
    let below = Color::from_black(args.flip);
    let mut lost = ByColor::<LostPieces>::default();
    let mut exit = Exit::Done;
    let mut last = ByColor::<Option<SyncMove>>::default();
    let ended = loop {
        said::board(&marked(game.state(), last, String::new(), &words), below, out)?;
        for side in Color::ALL.into_iter().filter(|&side| game.state().in_check(side)) {
            writeln!(out, "{} is in check.", side_name(side))?;
        }
        if let Some(result) = game.result() {
            break format!("result: {}", words.say(&result_words(result)));
        }
        let sides = match game.writing() {
            Writing::Both => vec![Color::White, Color::Black],
            Writing::Alone { side, .. } => vec![side],
        };
        let mut written = ByColor::<Option<SyncMove>>::default();
        let mut over = None;
        for side in sides {
            match decide(&game, side, &mut paper, out)? {
                Decision::Writes(decided) => written[side] = Some(decided),
                Decision::Resigns => over = Some(format!("{} resigns.", side_name(side))),
                Decision::Leaves => over = Some("The game is left.".to_owned()),
            }
            if over.is_some() {
                break;
            }
        }
        if let Some(over) = over {
            break over;
        }
        let asked = CarryOut { state: game.state().clone(), written, rules, set: args.rules.rules.name() };
        let found = ask::<Doublet>(&asked, &args.engines, context)?;
        let before = game.state().clone();
        let doublet = game.play(written);
        lost = lost.zip(lost_pieces(&before, written, &doublet)).map(|(one, other)| one.and(other));
        for side in Color::ALL {
            if let Some(text) = written_text(written[side]) {
                let events: Vec<_> = doublet.events[side].iter().map(|event| event_words(*event)).collect();
                let events = if events.is_empty() { "-".to_owned() } else { words.list(&events) };
                writeln!(out, "{} {text}: {events}", side_name(side))?;
            }
        }
        if let Some(verdict) = found.verdict.as_ref().filter(|verdict| verdict.equal() != Some(true)) {
            writeln!(out, "{}", verdict_line(verdict, &words))?;
            exit = Exit::of(found.ending::<Doublet>());
        }
        let text = |side: Color| written_text(written[side]).unwrap_or_else(|| "-".to_owned());
        score.push_str(&format!("{} {}\n", text(Color::White), text(Color::Black)));
        last = written;
    };
    writeln!(out, "{ended}")?;
    if args.points {
        let lost = lost.map(|lost| lost.points(&PieceValues::default()));
        writeln!(out, "lost: White {}, Black {}", lost.white, lost.black)?;
    }
    out.flush()?;
    Ok(exit)
}

/// A side's entry, asked for until it is allowed.
fn decide(game: &SyncGame, side: Color, paper: &mut HiddenPaper, out: &mut Output) -> Result<Decision, Failure> {
    loop {
        let prompt = format!("{}, your move (hidden): ", side_name(side));
        let Some(line) = paper.read(&prompt, out)? else { return Ok(Decision::Leaves) };
        match line.trim() {
            "" => {}
            "quit" | "q" => return Ok(Decision::Leaves),
            "resign" => return Ok(Decision::Resigns),
            "moves" => {
                let moves: Vec<String> = game.moves(side).iter().map(ToString::to_string).collect();
                for line in moves.chunks(12) {
                    writeln!(out, "  {}", line.join(" "))?;
                }
            }
            text => match text.parse::<SyncMove>() {
                Err(_) => {
                    writeln!(out, "Not a move: expected such as e2e4, e7e8q, O, Zd5; or moves, resign, quit.")?;
                }
                Ok(written) => match game.allowed(side, Some(written)) {
                    Ok(()) => return Ok(Decision::Writes(written)),
                    Err(why) => writeln!(out, "Not allowed: {why}.")?,
                },
            },
        }
    }
}
