//! The figures of Botvinnik's book beside the programs' findings.

mod picture;

use crate::prelude::*;
use chess_reference::book::figures::{Figure, Shown as Drawn, Statement, code_of_moves, figures};
use chess_reference::code_tables::Stamp;
use chess_reference::keys::Key;
use chess_reference::{Task, bundle};
use m220_chess::trajectories::{AttacksQuestion, BundleQuestion, DEFAULT_MAX_MOVES, PieceTask};
use m220_chess::{Compared, TrajectoryProgram};

/// Show a figure of Botvinnik's book of 1968 next to what the programs find
///
/// For every figure that shows a position, a code table, a key or the moves of a piece: the picture, the book's numbers
/// for it, what is found here, and the reason where they differ. The machine finds the attacks in each position (within
/// three half-moves, where they fit its tables) and the moves to every square, and is compared with the native
/// reference. Without a number the figures are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Book {
    /// The number of the figure
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    number: Option<u32>,
}

/// The horizon of the attacks asked of the machine, in half-moves: the book's greatest.
const HORIZON: u32 = 3;

/// What is found for a figure.
#[derive(Clone)]
pub struct Findings {
    /// The book's statements on it, each with what is found here; none from the machine.
    pub statements: Vec<(&'static Statement, String)>,
    /// What the machine was asked; none if it was not.
    pub asked: Option<Message>,
    /// Nothing was cut short.
    whole: bool,
}

impl Book {
    /// The question about the figure of this number.
    #[must_use]
    pub fn figure(number: u32) -> Book {
        Book { number: Some(number) }
    }
}

impl Question for Book {
    const NAME: &'static str = "book";
    const SMALL_BOARD: bool = true;
    type Program = TrajectoryProgram;
    /// None for the list of figures.
    type Subject = Option<&'static Figure>;
    type Answer = Findings;

    fn subject(&self, _: Engine, _: &Context<'_>) -> Result<Self::Subject, Refused> {
        let Some(number) = self.number else { return Ok(None) };
        let found = figures().iter().find(|figure| figure.number == number);
        found.map(Some).ok_or_else(|| Refused::bad_input(told!("book-no-figure", number = number.to_string())))
    }

    fn native(asked: &Self::Subject, context: &Context<'_>) -> Result<Findings, Refused> {
        let found = |statement: &'static Statement| {
            (statement, statement.found(&context.limits).unwrap_or_else(|| "nothing".to_owned()))
        };
        let statements = asked.iter().flat_map(|figure| figure.statements()).map(found).collect();
        Ok(Findings { statements, asked: None, whole: context.limits.ended().is_none() })
    }

    fn is_for_machine(asked: &Self::Subject) -> bool {
        asked.is_some_and(|figure| matches!(figure.shown, Drawn::Position | Drawn::Code(..)))
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<Findings>, Refused> {
        let figure = asked.ok_or_else(no_position)?;
        let position = figure.place.position();
        let settings = &machine.settings;
        match figure.shown {
            Drawn::Position => {
                let ask = |horizon| {
                    let compared = machine.program.compare(&AttacksQuestion { position: &position, horizon }, settings);
                    compared.map(|compared| ran(compared, told!("book-asked-attacks", horizon)))
                };
                // On an open board the machine's tables hold only the attacks of a shorter horizon.
                let (mut horizon, mut run) = (HORIZON, ask(HORIZON).map_err(cannot_run)?);
                while horizon > 1 && matches!(run.outcome, Err(NoAnswer::Refused(_))) {
                    horizon -= 1;
                    run = ask(horizon).map_err(cannot_run)?;
                }
                Ok(run)
            }
            Drawn::Code(role, from) => {
                // For unreachable squares the question is whether the moves to the farthest other square suffice.
                let most = ways_from(&position.board, role, from).filter_map(|(_, moves)| moves).max();
                let most = most.unwrap_or(DEFAULT_MAX_MOVES);
                let runs = ways_from(&position.board, role, from).map(|(task, _)| {
                    let question = BundleQuestion(PieceTask { board: &position.board, task: &task, max_moves: most });
                    let compared = machine.program.compare(&question, settings).map_err(cannot_run)?;
                    Ok(ran(compared, told!("book-asked-moves")))
                });
                Ran::in_turn(runs)?.ok_or_else(no_position)
            }
            Drawn::Tables(_) | Drawn::Keys(_) => Err(no_position()),
        }
    }

    fn join(native: &mut Findings, machine: &Findings) {
        native.asked.clone_from(&machine.asked);
    }

    fn is_settled(found: &Findings) -> bool {
        found.whole
    }

    fn is_right(found: &Findings) -> bool {
        !found.whole || found.statements.iter().all(|(statement, found)| found == statement.expected)
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let figure = asked.ok_or_else(no_position)?;
        let position = figure.place.position();
        let (run, title) = match figure.shown {
            Drawn::Position => {
                let question = AttacksQuestion { position: &position, horizon: HORIZON };
                (machine.put(&question)?, told!("attacks-within", horizon = HORIZON))
            }
            Drawn::Code(role, from) => {
                // Of the 63 questions the longest.
                let (task, moves) =
                    ways_from(&position.board, role, from).max_by_key(|&(_, moves)| moves).ok_or_else(no_position)?;
                let question = BundleQuestion(PieceTask {
                    board: &position.board,
                    task: &task,
                    max_moves: moves.unwrap_or(DEFAULT_MAX_MOVES),
                });
                (machine.put(&question)?, told!("book-asked-moves"))
            }
            Drawn::Tables(_) | Drawn::Keys(_) => return Err(no_position()),
        };
        Ok(Prepared::new(title, Notes::default(), &machine.program, run))
    }

    fn document<'a>(asked: &'a Self::Subject, found: Option<&'a Findings>) -> impl Serialize + 'a {
        let statements = found.into_iter().flat_map(|found| &found.statements);
        let of_figure = |read: fn(&'static Figure) -> Value| asked.map_or(Value::Null, read);
        json!({
            // Null for the list of figures.
            "figure": of_figure(|figure| figure.number.into()),
            "page": of_figure(|figure| figure.page.into()),
            "title": of_figure(|figure| figure.title.into()),
            "says": of_figure(|figure| figure.says.into()),
            "fen": of_figure(|figure| figure.place.position().to_fen().into()),
            // That shows it, without `m220`.
            "command": of_figure(|figure| figure.command.into()),
            // The book's numerical statements, beside what is found.
            "statements": statements.map(|(statement, found)| record(*asked, statement, found)).collect::<Vec<_>>(),
            // All figures, if no number was given.
            "figures": figures().iter().filter(|_| asked.is_none()).map(row).collect::<Vec<_>>(),
        })
    }

    fn say(asked: &Self::Subject, found: &Findings, words: &Words) -> Said {
        let Some(figure) = asked else { return list(words) };
        let mut said = Said::new(words, &headline(figure, words));
        let lines = match &figure.shown {
            Drawn::Position => vec![figure.place.position().to_fen()],
            &Drawn::Code(role, from) => code_rows(figure, role, from),
            Drawn::Tables(stamps) => sheets(stamps, table_rows),
            Drawn::Keys(stamps) => [sheets(stamps, Key::drawing), vec![String::new()], signs(stamps, words)].concat(),
        };
        said = said.with_part(Part::Text { lines }).with_part(Part::Text { lines: vec![said_of(figure, words)] });
        let items = found.statements.iter().map(|(statement, found)| {
            let &Statement { page, expected, differs, note, .. } = *statement;
            let (what, kind) = (stated(figure, statement, words), kind_of(statement, found));
            let (found, book) = (shown_value(found, words), shown_value(differs.unwrap_or(expected), words));
            let note = words.whole(note.to_owned());
            let text = words.say(&told!("book-statement", what, found, kind, page, book, note));
            Item { text, ..Item::default() }
        });
        said = said.with_list(words.say(&told!("book-numbers")), items);
        said.remarks.extend(found.asked.iter().map(|asked| words.say(&told!("book-asked", what = asked))));
        said.remarks.push(words.say(&Message::key("book-pages")));
        said.remarks.push(format!("m220 {}", figure.command));
        said
    }

    fn show(asked: &Self::Subject, _: &Findings, words: &Words) -> Shown {
        let Some(figure) = asked else { return Shown::default() };
        let position = figure.place.position();
        let number = figure.number.to_string();
        match figure.shown {
            Drawn::Position => {
                let heading = words.say(&told!("book-to-move", number, side = position.turn));
                let mut shown = Shown::new(&position.board, heading);
                if let Some(step) = figure.place.line.last() {
                    shown.arrow(position.turn.other(), [step.from, step.to], false);
                }
                shown
            }
            Drawn::Code(role, from) => {
                let mut board = position.board.clone();
                // A figure shows the piece on its assumed square.
                board.set_piece_at(from, role.of(Color::White));
                let mut shown = Shown::new(&board, words.say(&told!("book-figure", number)));
                for (square, moves) in code_of_moves(&position, role, from) {
                    shown.mark(square, number_or_dash(moves), if square == from { Shade::Start } else { Shade::None });
                }
                shown.legend = vec![words.say(&told!("book-moves-legend"))];
                shown
            }
            Drawn::Tables(_) | Drawn::Keys(_) => Shown::default(),
        }
    }

    fn picture(asked: &Self::Subject, found: &Findings, below: Color, words: &Words) -> Result<String, Refused> {
        let figure = asked.ok_or_else(|| Refused::usage(told!("book-which-picture")))?;
        let heading = words.say(&told!("book-figure", number = figure.number.to_string()));
        Ok(match &figure.shown {
            Drawn::Tables(stamps) => {
                picture::tables(&heading, &stamps.iter().copied().map(table_rows).collect::<Vec<_>>())
            }
            Drawn::Keys(stamps) => {
                picture::tables(&heading, &stamps.iter().copied().map(Key::drawing).collect::<Vec<_>>())
            }
            _ => crate::picture::draw(&Self::show(asked, found, words), below),
        })
    }
}

/// The ways of a white piece to the 63 other squares, each with its moves; none out of reach.
fn ways_from(board: &Board, role: Role, from: Square) -> impl Iterator<Item = (Task, Option<u32>)> {
    let tasks = Square::ALL.into_iter().filter(move |&to| to != from);
    tasks.map(move |to| {
        let task = Task { piece: role.of(Color::White), from, to };
        let moves = bundle(board, &task, Some(DEFAULT_MAX_MOVES)).moves;
        (task, moves)
    })
}

fn no_position() -> Refused {
    Refused::usage(told!("book-no-position"))
}

/// The machine's run with the verdict on it; the book's statements are the native reference's.
fn ran<N, M>(compared: Compared<N, M>, asked: Message) -> Ran<Findings> {
    let run = Ran::from(compared.machine).map(|_| Findings { statements: Vec::new(), asked: Some(asked), whole: true });
    Ran { also: Some(compared.verdict), ..run }
}

/// A figure's number, page and title.
#[must_use]
pub fn headline(figure: &Figure, words: &Words) -> Message {
    let title = words.whole(figure.title.to_owned());
    told!("book-headline", number = figure.number.to_string(), page = figure.page, title)
}

/// The list of the figures in words.
fn list(words: &Words) -> Said {
    let items = figures().iter().map(|figure| {
        let number = format!("{:>2}", figure.number);
        let title = words.whole(figure.title.to_owned());
        Item { text: words.say(&told!("book-row", number, page = figure.page, title)), ..Item::default() }
    });
    let mut said = Said::new(words, &told!("book-list", count = figures().len())).with_list("", items);
    said.remarks = ["book-how", "book-missing", "book-pages"].map(|key| words.say(&Message::key(key))).into();
    said
}

/// A figure in the list.
fn row(figure: &Figure) -> Value {
    json!({
        "figure": figure.number,
        "page": figure.page,
        "title": figure.title,
        "says": figure.says,
        "fen": figure.place.position().to_fen(),
        "command": figure.command,
    })
}

fn record(figure: Option<&Figure>, statement: &Statement, found: &str) -> Value {
    json!({
        // As the table of statements has it.
        "quantity": statement.quantity,
        "in_words": statement.in_words().to_string(),
        // The half-moves from the figure's position, by their squares.
        "after": figure.map(|figure| after_figure(figure, statement)),
        "horizon": statement.horizon,
        "found": found,
        "book": statement.differs.unwrap_or(statement.expected),
        "as_the_book": statement.is_met_by(found),
        // The book gives no such figure: this one follows from what it says.
        "derived": statement.derived,
        // One off at most.
        "page": statement.page,
        // Why they differ, or the book's own words.
        "note": statement.note,
    })
}

/// The half-moves from the figure's position to that of a statement.
fn after_figure(figure: &Figure, statement: &Statement) -> Vec<String> {
    statement.place.line.iter().skip(figure.place.line.len()).map(ToString::to_string).collect()
}

/// What a statement is about: the moves from the figure's position, and its quantity.
#[must_use]
pub fn stated(figure: &Figure, statement: &Statement, words: &Words) -> String {
    let after = after_figure(figure, statement).join(" ");
    let what = words.sentence(&statement.in_words());
    if after.is_empty() { what } else { words.say(&told!("book-after", moves = after, what)) }
}

/// How what is found stands to the book: `same`, `follows` or `differs`.
fn kind_of(statement: &Statement, found: &str) -> &'static str {
    match (statement.is_met_by(found), statement.derived) {
        (true, true) => "follows",
        (true, false) => "same",
        (false, _) => "differs",
    }
}

/// What is said of a figure: by the book, unless its drawing is lost.
#[must_use]
pub fn said_of(figure: &Figure, words: &Words) -> String {
    let says = words.whole(figure.says.to_owned());
    match figure.shown {
        Drawn::Keys(_) => says,
        _ => words.say(&told!("book-says", says)),
    }
}

/// A value for people: an empty one is said to be nothing, ranks stand apart.
#[must_use]
pub fn shown_value(value: &str, words: &Words) -> String {
    if value.is_empty() { words.say(&told!("none")) } else { words.whole(value.replace('/', " / ")) }
}

fn number_or_dash(moves: Option<u32>) -> String {
    moves.map_or("-".to_owned(), |moves| moves.to_string())
}

/// The moves to every square, a rank a line, the eighth first.
fn code_rows(figure: &Figure, role: Role, from: Square) -> Vec<String> {
    let code = code_of_moves(&figure.place.position(), role, from);
    let rank = |rank: &[(Square, Option<u32>)]| {
        rank.iter().map(|&(_, moves)| number_or_dash(moves)).collect::<Vec<_>>().join(" ")
    };
    code.chunks(8).map(rank).collect()
}

/// The rows of a code table, the topmost first; a point for an empty cell.
fn table_rows(stamp: Stamp) -> Vec<String> {
    let cell = |dx, dy| stamp.table().number(dx, dy).map_or(".".to_owned(), |number| number.to_string());
    (-7..=7).rev().map(|dy| (-7..=7).map(|dx| cell(dx, dy)).collect::<Vec<_>>().join(" ")).collect()
}

/// Tables or keys one below the other, with an empty line after each but the last.
fn sheets(stamps: &[Stamp], rows: fn(Stamp) -> Vec<String>) -> Vec<String> {
    stamps.iter().map(|&stamp| rows(stamp)).collect::<Vec<_>>().join(&String::new())
}

/// What the signs of keys mean, each once.
#[must_use]
pub fn signs(stamps: &[Stamp], words: &Words) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for &stamp in stamps {
        let said: Vec<String> = Key::of(stamp).in_words().iter().map(|sentence| words.sentence(sentence)).collect();
        let line = format!("{}: {}", Key::of(stamp).sign(), said.join("; "));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
