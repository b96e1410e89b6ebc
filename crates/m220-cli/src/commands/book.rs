//! `m220 book`: the figures of Botvinnik's book beside the programs' findings.

use crate::commands::asked::Asked;
use crate::prelude::*;
use crate::terminal::html::{escaped, figure as html_figure, page as html_page, table as html_table};
use chess_reference::book::figures::{Figure, Shown, figures};
use m220_answers::book::{Book, Findings, headline, said_of, shown_value, signs, stated};
use m220_answers::question::{Ending, document};
use m220_answers::{Context, Engine, Found, Question, ask};

/// Show a figure of Botvinnik's book of 1968 next to what the programs find
///
/// For every figure that shows a position, a code table, a key or the moves of a piece: the picture, the book's numbers
/// for it, what is found here, and the reason where they differ. The machine finds the attacks in each position (within
/// three half-moves, where they fit its tables) and the moves to every square, and is compared with the native
/// reference. Without a number the figures are listed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 book 31
  m220 book --html book.html")]
pub struct Args {
    #[command(flatten)]
    asked: Asked<Book>,
    /// Write all figures to this file, as a page to read alongside the book
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["number", "svg", "replay"])]
    html: Option<ResultFile>,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    match &args.html {
        Some(file) => all(args, file, session, out),
        None => args.asked.run(session, out),
    }
}

/// All figures as a page.
fn all(args: &Args, file: &Path, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let view = &args.asked.view;
    let _search = view.time.search(session);
    let words = session.speak(view.lang.0);
    let (mut parts, mut documents, mut exit) = (Vec::new(), Vec::new(), Exit::Done);
    let (mut statements, mut same, mut derived) = (0, 0, 0);
    for figure in figures() {
        session.at(format!("figure {}", figure.number));
        let host = Terminal::new(&words, session);
        let context = Context::new(session.limits(), &host);
        let asked = || {
            let subject = Book::figure(figure.number).subject(Engine::Both, &context)?;
            let found = ask::<Book>(&subject, &args.asked.engines, &context)?;
            Ok((subject, found))
        };
        let (subject, found) = asked().map_err(|refused| Failure::of(&refused, &words))?;
        if session.cut_short().is_some() {
            return Ok(Exit::NoVerdict);
        }
        if let Some(answer) = found.answer() {
            parts.push(html(figure, &subject, &found, answer, &words)?);
            statements += answer.statements.len();
            same += answer.statements.iter().filter(|(statement, found)| statement.is_met_by(found)).count();
            derived += answer.statements.iter().filter(|(statement, _)| statement.derived).count();
        }
        documents.push(document::<Book>(&subject, &found, &context));
        if exit == Exit::Done && found.ending::<Book>() != Ending::Done {
            exit = Exit::of(found.ending::<Book>());
        }
    }
    let named = |figure: &Figure| words.say(&told!("book-figure", number = figure.number.to_string()));
    let link = |figure: &Figure| format!("<a href=\"#fig{}\">{}</a> ", figure.number, named(figure));
    let links: String = figures().iter().map(link).collect();
    let [title, intro] = ["book-page-title", "book-page-intro"].map(|key| words.say(&Message::key(key)));
    let data = serde_json::to_string(&documents).map_err(std::io::Error::from)?;
    let body = format!("<h1>{title}</h1>\n<p>{intro}</p>\n<nav>{links}</nav>\n{}", parts.concat());
    session.write_file(file, html_page(words.language(), &title, &body, Some(&data)).as_bytes())?;
    match view.format {
        Format::Json => out.json(&json!({"schema": 2, "figures": documents}))?,
        Format::Text => {
            let (figures, otherwise, same) = (documents.len(), statements - same, same - derived);
            let line = words.say(&told!("book-page-done", figures, statements, same, derived, otherwise));
            writeln!(out, "{}", wrap::fill(&line, 2))?;
        }
    }
    Ok(exit)
}

/// A figure's part of the page.
fn html(
    figure: &Figure,
    subject: &<Book as Question>::Subject,
    found: &Found<Findings>,
    answer: &Findings,
    words: &Words,
) -> Result<String, Failure> {
    let say = |key| words.say(&Message::key(key));
    let Figure { number, title, command, .. } = figure;
    let title = words.whole((*title).to_owned());
    let rows = answer.statements.iter().map(|(statement, found)| {
        let book = match (statement.is_met_by(found), statement.derived) {
            (true, true) => say("book-page-follows"),
            (true, false) => say("book-page-same"),
            (false, _) => shown_value(statement.differs.unwrap_or(statement.expected), words),
        };
        let note = words.whole(statement.note.to_owned());
        vec![stated(figure, statement, words), shown_value(found, words), book, statement.page.to_owned(), note]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let numbers = match rows.is_empty() {
        true => String::new(),
        false => {
            let heads =
                ["book-page-numbers", "book-page-found", "book-page-book", "book-page-page", "book-page-why"].map(say);
            html_table("words", heads.iter().map(String::as_str), rows)
        }
    };
    let paragraph = |text: &str| format!("<p>{}</p>\n", escaped(text));
    let signs = match &figure.shown {
        Shown::Keys(stamps) => paragraph(&format!("{}.", signs(stamps, words).join(". "))),
        _ => String::new(),
    };
    let asked = answer.asked.iter().map(|asked| words.say(&told!("book-asked", what = asked)));
    let machine: String = asked.chain(found.engine_lines(words)).map(|line| paragraph(&line)).collect();
    let picture =
        Book::picture(subject, answer, Color::White, words).map_err(|refused| Failure::of(&refused, words))?;
    Ok(format!(
        "<h2 id=\"fig{number}\">{}</h2>\n<div class=\"pictures\">{}</div>\n\
         {}{signs}{numbers}{machine}<pre>m220 {}</pre>\n",
        escaped(&words.say(&headline(figure, words))),
        html_figure(&picture, &title),
        paragraph(&said_of(figure, words)),
        escaped(command)
    ))
}
