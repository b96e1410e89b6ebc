//! An answer in words, as a terminal shows it.

use crate::prelude::*;
use crate::terminal::diagram::{self, Mark};
use m220_answers::said::{Part, Said};
use m220_answers::shown::{Shade, Shown};
use m220_answers::words::Words;

/// The sentence that answers, and the moves that prove it.
///
/// # Errors
/// [`Failure::Stdout`].
pub fn headline(said: &Said, out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "{}", wrap::fill(&said.headline, 2))?;
    let moves = said.proof.iter().map(|step| format!("{}{}", step.number.as_deref().unwrap_or_default(), step.san));
    let moves = moves.collect::<Vec<_>>().join(" ");
    // A headline may be the line itself.
    if !said.headline.ends_with(&moves) {
        writeln!(out, "{}", wrap::fill(&moves, 2))?;
    }
    Ok(())
}

/// Lines on what the engines did.
///
/// # Errors
/// [`Failure::Stdout`].
pub fn lines(lines: &[String], out: &mut Output) -> Result<(), Failure> {
    lines.iter().try_for_each(|line| writeln!(out, "{}", wrap::fill(line, 2))).map_err(Failure::from)
}

/// The board in letters.
///
/// # Errors
/// [`Failure::Stdout`].
pub fn board(shown: &Shown, below: Color, out: &mut Output) -> Result<(), Failure> {
    let marks = if shown.letters.is_empty() { &shown.marks } else { &shown.letters };
    let mark = |square| {
        let found = marks.iter().find(|mark| mark.square == square);
        found.map_or_else(Mark::default, |mark| Mark { text: mark.text.clone(), strong: mark.shade != Shade::None })
    };
    write!(out.styled(), "\n{}", diagram::draw(&shown.pieces(), mark, below, diagram::colours()))?;
    if !shown.below.is_empty() {
        writeln!(out, "\n{}", wrap::fill(&shown.below, 2))?;
    }
    Ok(())
}

/// The board in the least space.
///
/// # Errors
/// [`Failure::Stdout`].
pub fn small(shown: &Shown, below: Color, out: &mut Output) -> Result<(), Failure> {
    write!(out.styled(), "\n{}", diagram::small(&shown.pieces(), below, &[]))?;
    Ok(())
}

/// Facts, lists, tables and remarks.
///
/// # Errors
/// [`Failure::Stdout`].
pub fn rest(said: &Said, all: bool, words: &Words, out: &mut Output) -> Result<(), Failure> {
    for part in &said.parts {
        writeln!(out)?;
        match part {
            Part::Facts { title, facts } => {
                heading(title, out)?;
                let width = facts.iter().map(|fact| fact.name.chars().count()).max().unwrap_or_default();
                for fact in facts {
                    let line = format!("{:<width$}  {}", fact.name, fact.value);
                    writeln!(out, "{}", wrap::fill(line.trim_end(), width + 2))?;
                }
            }
            Part::List { title, items } => {
                heading(title, out)?;
                let indent = if title.is_empty() { 0 } else { 2 };
                if items.iter().all(|item| item.depth == 0 && item.text.chars().count() <= LONGEST_NAME) {
                    let names: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
                    writeln!(out, "{}", wrap::fill(&format!("{:indent$}{}", "", names.join(" ")), indent))?;
                    continue;
                }
                for item in items {
                    let depth = indent + 2 * item.depth;
                    writeln!(out, "{}", wrap::fill(&format!("{:depth$}{}", "", item.text), depth + 4))?;
                }
            }
            Part::Table { title, columns, rows, shown } => {
                heading(title, out)?;
                let most = if all { rows.len() } else { shown.unwrap_or(rows.len()).min(rows.len()) };
                let width = |index: usize| {
                    let cells = rows[..most].iter().filter_map(|row| row.cells.get(index));
                    let cells = cells.map(String::as_str).chain([columns[index].name.as_str()]);
                    cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
                };
                let widths: Vec<usize> = (0..columns.len()).map(width).collect();
                let line = |cells: &mut dyn Iterator<Item = &str>| {
                    let cells = cells.zip(columns).zip(&widths).map(|((cell, column), &width)| match column.figures {
                        true => format!("{cell:>width$}"),
                        false => format!("{cell:<width$}"),
                    });
                    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
                };
                let last: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
                writeln!(out, "{}", line(&mut columns.iter().map(|column| column.name.as_str())))?;
                for row in &rows[..most] {
                    writeln!(out, "{}", wrap::fill(&line(&mut row.cells.iter().map(String::as_str)), last))?;
                }
                if most < rows.len() {
                    writeln!(out, "{}", words.say(&told!("more-rows", count = rows.len() - most)))?;
                }
            }
            Part::Text { lines } => {
                for line in lines {
                    writeln!(out, "{}", wrap::fill(line, 2))?;
                }
            }
        }
    }
    if !said.remarks.is_empty() {
        writeln!(out)?;
    }
    said.remarks.iter().try_for_each(|remark| writeln!(out, "{}", wrap::fill(remark, 0)))?;
    Ok(())
}

/// Letters of a move's name: a list of names stands in one paragraph.
const LONGEST_NAME: usize = 7;

fn heading(title: &str, out: &mut Output) -> Result<(), Failure> {
    if !title.is_empty() {
        writeln!(out, "{}", wrap::fill(title, 2))?;
    }
    Ok(())
}
