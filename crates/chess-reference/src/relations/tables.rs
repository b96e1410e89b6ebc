//! The values of relations, in exact decimal numbers.

use super::coding::piece_code;
use super::relation::{DynamicValue, Relation, RelationKind, for_each_relation};
use crate::prelude::*;
use crate::spans::{PlacedWord, TextError, lines, place_of, words};
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

    /// A whole number; the nearest value if it is beyond them.
    #[must_use]
    pub const fn whole(number: i64) -> Points {
        Points(number.saturating_mul(Points::SCALE))
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

/// The values of all relations: two tables of 6 x 6, one of 6, and three weights; and of what is counted beside them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// For each kind, by piece and piece attacked or defended, in hundredths; the control of a free square is in the first
    /// column.
    values: [[[i64; 6]; 6]; 3],
    /// The weights of the three tables, in thousandths.
    weights: [i64; 3],
    /// What each control of a free square of the centre counts more, in hundredths, and the last move at which it does.
    centre: (i64, u32),
    /// The pieces themselves, in hundredths; no weight applies.
    men: [i64; 6],
}

/// The squares of the centre.
pub(crate) const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// Staunton's values as the document quotes them, by code: king, queen, rook, bishop, knight, pawn.
const STAUNTON: [i64; 6] = [0, 994, 548, 350, 305, 100];

impl Tables {
    /// Every relation counts 1: an evaluation is a count.
    #[must_use]
    pub const fn unit() -> Tables {
        Tables { values: [[[100; 6]; 6]; 3], weights: [1000; 3], centre: (0, 0), men: [0; 6] }
    }

    /// Staunton's values of the pieces; no relation counts.
    #[must_use]
    pub const fn staunton() -> Tables {
        Tables { values: [[[0; 6]; 6]; 3], men: STAUNTON, ..Tables::unit() }
    }

    /// The least whole numbers that meet each wish of the lessons: an attack on the queen counts more than one on a pawn,
    /// the centre counts more in the opening, the weights are below 1 and add up to 1; and Staunton's values, lest pieces
    /// be given away.
    #[must_use]
    pub const fn lessons() -> Tables {
        Tables {
            values: [[[100, 200, 100, 100, 100, 100]; 6], [[100; 6]; 6], [[100; 6]; 6]],
            weights: [334, 333, 333],
            centre: (100, 10),
            men: STAUNTON,
        }
    }

    /// The built-in tables by their names.
    pub const BUILT_IN: [(&'static str, Tables); 3] =
        [("unit", Tables::unit()), ("staunton", Tables::staunton()), ("lessons", Tables::lessons())];

    /// Whether only relations count, as in the machine program.
    #[must_use]
    pub fn is_of_relations_only(&self) -> bool {
        self.centre.0 == 0 && self.men == [0; 6]
    }

    /// The evaluation E of a board for a side at this move of the game: its relations, its centre and its pieces less the
    /// enemy's.
    #[must_use]
    pub fn evaluate(&self, board: &Board, side: Color, number: u32) -> Points {
        let mut units = 0;
        let mut add = |of: Color, value: i64| units += if of == side { value } else { -value };
        let centre = if number <= self.centre.1 { self.weights[2] * self.centre.0 } else { 0 };
        for_each_relation(board, |relation| {
            add(relation.side, self.value(&relation).0);
            if relation.kind == RelationKind::Co && CENTRE.contains(&relation.to) {
                add(relation.side, centre);
            }
        });
        // Hundredths without a weight are thousands of units.
        board.iter().for_each(|(_, piece)| add(piece.color, 1000 * self.men[index(piece.role)]));
        Points(units)
    }

    /// The value of a type, in hundredths.
    fn of_type(&mut self, (kind, piece, target): Type) -> &mut i64 {
        &mut self.values[kind as usize][index(piece)][target.map_or(0, index)]
    }

    /// Adds hundredths to the value of a type, within 0 and the greatest value.
    pub(crate) fn adjust(&mut self, of: Type, hundredths: i64) {
        let value = self.of_type(of);
        *value = (*value + hundredths).clamp(0, 100 * MOST_VALUE);
    }

    /// The values that differ from those of other tables, in hundredths, by the names of their types: `at Q P`.
    #[must_use]
    pub fn other_than(&self, usual: &Tables) -> Vec<(String, i64)> {
        let (mut own, mut usual) = (self.clone(), usual.clone());
        let types = RelationKind::ALL.into_iter().flat_map(all_types);
        let values = types.map(|of| (of, *own.of_type(of), *usual.of_type(of)));
        values.filter(|(_, value, usual)| value != usual).map(|(of, value, _)| (type_name(of), value)).collect()
    }

    /// The value of a relation for its side.
    #[must_use]
    pub fn value(&self, relation: &Relation) -> Points {
        self.value_of(relation.kind, relation.piece, relation.target)
    }

    /// The value of a relation of this kind between two pieces.
    #[must_use]
    pub fn value_of(&self, kind: RelationKind, piece: Role, target: Option<Role>) -> Points {
        Points(self.weights[kind as usize] * self.values[kind as usize][index(piece)][target.map_or(0, index)])
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
    /// `weights a d c`; `#` begins a comment. Values not given are 1. `man x value` counts the pieces themselves,
    /// `centre value n` adds to each control of a free square of the centre up to move n.
    ///
    /// Values have two decimals at most and lie between -300 and 300, those of pieces and centre between 0 and 300;
    /// weights have three, are positive, below 1, and add up to 1.
    ///
    /// # Errors
    /// [`TextError`] with the place of the first mistake.
    pub fn read(text: &str) -> Result<Tables, TextError> {
        let mut tables = Tables::unit();
        let mut named = Vec::new();
        for line in lines(text) {
            let words: Vec<PlacedWord<'_>> = words(text, line).collect();
            let place = tables.read_line(&words)?;
            if named.contains(&place) {
                return Err(wrong(&place_of(text, line), "named a second time"));
            }
            named.push(place);
        }
        Ok(tables)
    }
}

impl Tables {
    /// Reads one line; returns the subject of the line.
    fn read_line(&mut self, words: &[PlacedWord<'_>]) -> Result<(usize, usize, usize), TextError> {
        match words {
            [(_, kind), piece, target @ .., value]
                if let Some(kind) = RelationKind::named(kind)
                    && target.len() == usize::from(kind != RelationKind::Co) =>
            {
                let (x, y) = (piece_index(piece)?, target.first().map_or(Ok(0), piece_index)?);
                self.values[kind as usize][x][y] = decimal(value, 2, MOST_VALUE)?;
                Ok((kind as usize, x, y))
            }
            [(_, "man"), piece, value] => {
                let x = piece_index(piece)?;
                self.men[x] = not_negative(value, 2)?;
                Ok((4, x, 0))
            }
            [(_, "centre"), value, last] => {
                self.centre = (not_negative(value, 2)?, not_negative(last, 0)? as u32);
                Ok((5, 0, 0))
            }
            [(_, "weights"), a, d, c] => {
                for (weight, word) in self.weights.iter_mut().zip([a, d, c]) {
                    *weight = decimal(word, 3, 1)?;
                    if !(1..1000).contains(weight) {
                        return Err(wrong(&word.0, "a weight is positive and below 1"));
                    }
                }
                match self.weights.iter().sum() {
                    1000 => Ok((3, 0, 0)),
                    _ => Err(wrong(&(a.0.start..c.0.end), "the three weights add up to 1")),
                }
            }
            _ => {
                let (span, kind) = &words[0];
                let expected = match *kind {
                    "at" | "ap" => "expected two pieces and a value, such as `at R B 1.5`",
                    "co" => "expected a piece and a value, such as `co N 0.5`",
                    "weights" => "expected three weights, such as `weights 0.5 0.3 0.2`",
                    "man" => "expected a piece and a value, such as `man N 3.05`",
                    "centre" => "expected a value and the last move at which it counts, such as `centre 1 10`",
                    _ => return Err(wrong(span, "expected `at`, `ap`, `co`, `weights`, `man` or `centre`")),
                };
                Err(wrong(&(span.start..words[words.len() - 1].0.end), expected))
            }
        }
    }
}

impl DynamicValue {
    /// Its worth by these tables: attacks, defences and controls, the defences of the piece, less the attacks on it.
    #[must_use]
    pub fn worth(&self, tables: &Tables) -> Points {
        let sum = |parts: &[&[Relation]]| {
            parts.iter().copied().flatten().fold(Points::default(), |sum, relation| sum + tables.value(relation))
        };
        sum(&[&self.attacks, &self.defends, &self.controls, &self.defended_by]) - sum(&[&self.attacked_by])
    }
}

fn wrong(span: &Range<usize>, message: impl Into<Sentence>) -> TextError {
    TextError { span: span.clone(), message: message.into() }
}

fn piece_index((span, word): &PlacedWord<'_>) -> Result<usize, TextError> {
    let piece = match word.as_bytes() {
        [letter @ b'A'..=b'Z'] => Role::from_char(char::from(*letter)),
        _ => None,
    };
    piece.map(index).ok_or_else(|| wrong(span, "expected the letter of a piece: K, Q, R, B, N or P"))
}

/// A decimal number in units of its last decimal.
fn decimal((span, word): &PlacedWord<'_>, decimals: usize, most: i64) -> Result<i64, TextError> {
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
    let expected = || {
        sentence!(
            "expected a number between -{most} and {most} with {decimals} decimals at most",
            most = most.to_string(),
            decimals
        )
    };
    read().ok_or_else(|| wrong(span, expected()))
}

/// A number from 0 on.
fn not_negative(word: &PlacedWord<'_>, decimals: usize) -> Result<i64, TextError> {
    let most = MOST_VALUE.to_string();
    let expected = || match decimals {
        0 => sentence!("expected a whole number, 0 to {most}", most),
        _ => sentence!("expected a number, 0 to {most}, with {decimals} decimals at most", most, decimals),
    };
    let number = decimal(word, decimals, MOST_VALUE).ok().filter(|number| *number >= 0);
    number.ok_or_else(|| wrong(&word.0, expected()))
}

/// A type of relation: its kind, the piece, and the piece attacked or defended.
pub(crate) type Type = (RelationKind, Role, Option<Role>);

/// The types of a kind.
pub(crate) fn all_types(kind: RelationKind) -> impl Iterator<Item = Type> {
    const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let targets = if kind == RelationKind::Co { vec![None] } else { ROLES.map(Some).to_vec() };
    ROLES.into_iter().flat_map(move |x| targets.clone().into_iter().map(move |y| (kind, x, y)))
}

/// A type as a file of values names it: `at Q P`, `co N`.
pub(crate) fn type_name((kind, piece, target): Type) -> String {
    let target = target.map_or(String::new(), |target| format!(" {}", target.upper_char()));
    format!("{} {}{target}", kind.name(), piece.upper_char())
}

/// The index of a piece in the tables: its code less one.
fn index(piece: Role) -> usize {
    piece_code(piece) as usize - 1
}
