//! The values of relations, in exact decimal numbers.

use super::coding::piece_code;
use super::relation::{Change, Relation, RelationKind};
use serde::{Serialize, Serializer};
use shakmaty::{Color, Role};
use std::fmt;
use std::ops::{Add, Neg, Range, Sub};

/// A value of a position or a note of a move, counted in 1/100,000: a table's hundredths times a weight's thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points(i64);

impl Points {
    /// Units in 1.
    pub const SCALE: i64 = 100_000;

    /// A value from units of 1/100,000.
    #[must_use]
    pub const fn from_units(units: i64) -> Points {
        Points(units)
    }

    /// A whole number.
    #[must_use]
    pub const fn whole(number: i64) -> Points {
        Points(number * Points::SCALE)
    }

    /// The value in units of 1/100,000.
    #[must_use]
    pub const fn units(self) -> i64 {
        self.0
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(-self.0)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0.unsigned_abs() / 100_000, self.0.unsigned_abs() % 100_000);
        let sign = match self.0.signum() {
            -1 => "-",
            1 if f.sign_plus() => "+",
            _ => "",
        };
        let decimals = format!(".{part:05}");
        let text = format!("{sign}{whole}{}", decimals.trim_end_matches('0').trim_end_matches('.'));
        match f.width() {
            Some(width) => write!(f, "{text:>width$}"),
            None => f.write_str(&text),
        }
    }
}

impl Serialize for Points {
    /// A JSON number: an integer where it is one.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % Points::SCALE {
            0 => serializer.serialize_i64(self.0 / Points::SCALE),
            _ => serializer.serialize_f64(self.0 as f64 / Points::SCALE as f64),
        }
    }
}

/// The greatest magnitude of a table's value: sums over a full board stay within the machine's 36 bits.
pub const MOST_VALUE: i64 = 300;

/// The values of all relations: two tables of 6 x 6, one of 6, and three weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// By piece and piece attacked, in hundredths.
    at: [[i64; 6]; 6],
    /// By piece and piece defended, in hundredths.
    ap: [[i64; 6]; 6],
    /// By piece that controls a free square, in hundredths.
    co: [i64; 6],
    /// The weights of the three tables, in thousandths.
    weights: [i64; 3],
}

/// An error in a file of values, with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TableError {
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What was expected.
    pub message: String,
}

impl Tables {
    /// Every relation counts 1: an evaluation is a count.
    #[must_use]
    pub const fn unit() -> Tables {
        Tables { at: [[100; 6]; 6], ap: [[100; 6]; 6], co: [100; 6], weights: [1000; 3] }
    }

    /// The value of a relation for its side.
    #[must_use]
    pub fn value(&self, relation: &Relation) -> Points {
        self.value_of(relation.kind, relation.piece, relation.target)
    }

    /// The value of a relation of this kind between two pieces.
    #[must_use]
    pub fn value_of(&self, kind: RelationKind, piece: Role, target: Option<Role>) -> Points {
        let (x, y) = (index(piece), target.map_or(0, index));
        let [a, d, c] = self.weights;
        Points(match kind {
            RelationKind::At => a * self.at[x][y],
            RelationKind::Ap => d * self.ap[x][y],
            RelationKind::Co => c * self.co[x],
        })
    }

    /// The evaluation E of relations for a side: its own count for it, the enemy's against it.
    #[must_use]
    pub fn sum(&self, list: &[Relation], side: Color) -> Points {
        list.iter().fold(Points::default(), |sum, relation| match relation.side == side {
            true => sum + self.value(relation),
            false => sum - self.value(relation),
        })
    }

    /// Reads a file of values: lines `at x y value`, `ap x y value`, `co x value` with the letters K Q R B N P, and
    /// `weights a d c`; `#` begins a comment. Values not given are 1.
    ///
    /// Values have two decimals at most and lie between -300 and 300, weights three; they are positive, below 1, and
    /// add up to 1.
    ///
    /// # Errors
    /// [`TableError`] with the place of the first mistake.
    pub fn read(text: &str) -> Result<Tables, TableError> {
        let mut tables = Tables::unit();
        let mut named = Vec::new();
        let mut line_at = 0;
        for line in text.split_inclusive('\n') {
            let content = line.split('#').next().unwrap_or_default();
            let words: Vec<(Range<usize>, &str)> = content
                .split_whitespace()
                .map(|word| {
                    let start = line_at + (word.as_ptr() as usize - line.as_ptr() as usize);
                    (start..start + word.len(), word)
                })
                .collect();
            if !words.is_empty() {
                let place = tables.read_line(&words)?;
                if named.contains(&place) {
                    let span = words[0].0.start..words[words.len() - 1].0.end;
                    return Err(TableError { span, message: "named a second time".to_owned() });
                }
                named.push(place);
            }
            line_at += line.len();
        }
        Ok(tables)
    }
}

/// A word of a line and its place.
type TableWord<'a> = (Range<usize>, &'a str);

impl Tables {
    /// Reads one line; returns the subject of the line.
    fn read_line(&mut self, words: &[TableWord<'_>]) -> Result<(usize, usize, usize), TableError> {
        let whole = words[0].0.start..words[words.len() - 1].0.end;
        let error = |span: &Range<usize>, message: &str| TableError { span: span.clone(), message: message.to_owned() };
        match words {
            [(_, kind @ ("at" | "ap")), piece, target, value] => {
                let (x, y) = (piece_index(piece)?, piece_index(target)?);
                let value = decimal(value, 2, MOST_VALUE)?;
                let (number, table) = if *kind == "at" { (0, &mut self.at) } else { (1, &mut self.ap) };
                table[x][y] = value;
                Ok((number, x, y))
            }
            [(_, "co"), piece, value] => {
                let x = piece_index(piece)?;
                self.co[x] = decimal(value, 2, MOST_VALUE)?;
                Ok((2, x, 0))
            }
            [(_, "weights"), a, d, c] => {
                for (weight, word) in self.weights.iter_mut().zip([a, d, c]) {
                    *weight = decimal(word, 3, 1)?;
                    if !(1..1000).contains(weight) {
                        return Err(error(&word.0, "a weight is positive and below 1"));
                    }
                }
                match self.weights.iter().sum() {
                    1000 => Ok((3, 0, 0)),
                    _ => Err(error(&(a.0.start..c.0.end), "the three weights add up to 1")),
                }
            }
            [(_, "at" | "ap"), ..] => Err(error(&whole, "expected two pieces and a value, such as `at R B 1.5`")),
            [(_, "co"), ..] => Err(error(&whole, "expected a piece and a value, such as `co N 0.5`")),
            [(_, "weights"), ..] => Err(error(&whole, "expected three weights, such as `weights 0.5 0.3 0.2`")),
            _ => Err(error(&words[0].0, "expected `at`, `ap`, `co` or `weights`")),
        }
    }
}

fn piece_index((span, word): &TableWord<'_>) -> Result<usize, TableError> {
    let piece = match word.as_bytes() {
        [letter @ b'A'..=b'Z'] => Role::from_char(char::from(*letter)),
        _ => None,
    };
    piece.map(index).ok_or_else(|| TableError {
        span: span.clone(),
        message: "expected the letter of a piece: K, Q, R, B, N or P".to_owned(),
    })
}

/// A decimal number in units of its last decimal.
fn decimal((span, word): &TableWord<'_>, decimals: usize, most: i64) -> Result<i64, TableError> {
    let read = || {
        let (negative, digits) = word.strip_prefix('-').map_or((false, *word), |digits| (true, digits));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 6 || part.len() > decimals || !all_digits(whole) || !all_digits(part) {
            return None;
        }
        let units: i64 = format!("{whole}{part:0<decimals$}").parse().ok()?;
        let most = most * 10_i64.pow(decimals as u32);
        (units <= most).then_some(if negative { -units } else { units })
    };
    read().ok_or_else(|| TableError {
        span: span.clone(),
        message: format!("expected a number between -{most} and {most} with {decimals} decimals at most"),
    })
}

/// The index of a piece in the tables: its code less one.
fn index(piece: Role) -> usize {
    piece_code(piece) as usize - 1
}

impl Change {
    /// The note of the move for its side: own relations gained and enemy relations lost count for it, the opposite
    /// against it.
    #[must_use]
    pub fn note(&self, tables: &Tables, mover: Color) -> Points {
        tables.sum(&self.gained, mover) - tables.sum(&self.lost, mover)
    }
}
