//! The language: reading and writing plans.

use crate::prelude::*;
use crate::spans::TextError;

/// A plan: steps carried out one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The steps, at least one: conditions that must hold at the same time, at least one.
    pub steps: Vec<Vec<PlanCondition>>,
}

/// One condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlanCondition {
    /// What is wanted.
    pub wanted: Wanted,
    /// Whether it is only verified, so that no move is made for it.
    pub verify: bool,
    /// Whether its moves must keep the initiative, that is, give check.
    pub star: bool,
}

/// What a condition asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wanted {
    /// `V(s)`: the square is empty.
    Vacant(Square),
    /// `A(s)`, `A:N(s)`: a piece of the planning side stands there.
    Own(Option<Role>, Square),
    /// `E(s)`, `E:P(s)`: an enemy piece stands there.
    Enemy(Option<Role>, Square),
    /// `x(s)`: a capture there.
    Capture(Square),
    /// `m(ab)`: the move from a to b.
    Go(Square, Square),
}

/// The most conditions of a step: one for each square.
const MOST_CONDITIONS: usize = 64;

impl Plan {
    /// Reads a plan, such as `V(g4)*; x(d7)`.
    ///
    /// # Errors
    /// [`TextError`] with the place of the first mistake.
    pub fn read(text: &str) -> Result<Plan, TextError> {
        let mut reader = PlanReader::new(text);
        let mut steps = Vec::new();
        loop {
            let mut conditions = vec![reader.condition()?];
            while reader.takes('&') {
                if conditions.len() == MOST_CONDITIONS {
                    return Err(reader.wrong("a step has 64 conditions at most"));
                }
                conditions.push(reader.condition()?);
            }
            steps.push(conditions);
            match reader.next() {
                None => return Ok(Plan { steps }),
                Some(';') => reader.take(),
                Some(_) => return Err(reader.wrong("expected `;` before the next step, `&`, or the end")),
            }
        }
    }
}

impl PlanCondition {
    /// Reads one condition, such as `V(g4)*`.
    ///
    /// # Errors
    /// [`TextError`] with the place of the first mistake.
    pub fn read(text: &str) -> Result<PlanCondition, TextError> {
        let mut reader = PlanReader::new(text);
        let condition = reader.condition()?;
        match reader.next() {
            None => Ok(condition),
            Some(_) => Err(reader.wrong("expected the end: this is one condition")),
        }
    }
}

/// Reads a text from left to right and skips blanks.
pub(super) struct PlanReader<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> PlanReader<'a> {
    pub(super) fn new(text: &'a str) -> PlanReader<'a> {
        PlanReader { text, at: 0 }
    }

    /// The next letter that is not a blank.
    pub(super) fn next(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self) {
        self.at += self.next().map_or(0, char::len_utf8);
    }

    pub(super) fn takes(&mut self, letter: char) -> bool {
        let there = self.next() == Some(letter);
        if there {
            self.take();
        }
        there
    }

    /// An error at the next letter.
    pub(super) fn wrong(&mut self, message: impl Into<Sentence>) -> TextError {
        let width = self.next().map_or(0, char::len_utf8);
        TextError { span: self.at..self.at + width, message: message.into() }
    }

    pub(super) fn expect(&mut self, letter: char) -> Result<(), TextError> {
        match self.takes(letter) {
            true => Ok(()),
            false => Err(self.wrong(sentence!("expected `{letter}`", letter = letter.to_string()))),
        }
    }

    fn condition(&mut self) -> Result<PlanCondition, TextError> {
        let verify = self.takes('?');
        let letter = self.next();
        let wanted = match letter {
            Some('x' | 'm') if verify => return Err(self.wrong("only a state is verified: expected V, A or E")),
            Some(letter @ ('V' | 'A' | 'E' | 'x' | 'm')) => {
                self.take();
                let piece = if matches!(letter, 'A' | 'E') && self.takes(':') { Some(self.piece()?) } else { None };
                self.expect('(')?;
                let square = self.square()?;
                match letter {
                    'V' => Wanted::Vacant(square),
                    'A' => Wanted::Own(piece, square),
                    'E' => Wanted::Enemy(piece, square),
                    'x' => Wanted::Capture(square),
                    _ => Wanted::Go(square, self.square()?),
                }
            }
            _ => return Err(self.wrong("expected V, A, E (a state), x (a capture) or m (a move)")),
        };
        self.expect(')')?;
        let star_at = self.at;
        let star = self.takes('*');
        if star && verify {
            let message = "`*` cannot stand here: a verified condition makes no move".into();
            return Err(TextError { span: star_at..self.at, message });
        }
        Ok(PlanCondition { wanted, verify, star })
    }

    /// The small letters that come next.
    pub(super) fn word(&mut self) -> &'a str {
        self.next();
        let rest = &self.text[self.at..];
        let word = rest.split(|letter: char| !letter.is_ascii_lowercase()).next().unwrap_or_default();
        self.at += word.len();
        word
    }

    fn piece(&mut self) -> Result<Role, TextError> {
        let found = self.next().filter(char::is_ascii_uppercase).and_then(Role::from_char);
        match found {
            Some(role) => {
                self.take();
                Ok(role)
            }
            None => Err(self.wrong("expected the letter of a piece: K, Q, R, B, N or P")),
        }
    }

    pub(super) fn square(&mut self) -> Result<Square, TextError> {
        let mut name = String::new();
        for (letters, expected) in
            [('a'..='h', "expected the file of a square, a to h"), ('1'..='8', "expected the rank of a square, 1 to 8")]
        {
            match self.next() {
                Some(letter) if letters.contains(&letter) => name.push(letter),
                _ => return Err(self.wrong(expected)),
            }
            self.take();
        }
        name.parse().map_err(|_| self.wrong("expected a square"))
    }
}

impl fmt::Display for PlanCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piece = |role: Option<Role>| role.map_or(String::new(), |role| format!(":{}", role.upper_char()));
        f.write_str(if self.verify { "?" } else { "" })?;
        match self.wanted {
            Wanted::Vacant(square) => write!(f, "V({square})"),
            Wanted::Own(role, square) => write!(f, "A{}({square})", piece(role)),
            Wanted::Enemy(role, square) => write!(f, "E{}({square})", piece(role)),
            Wanted::Capture(square) => write!(f, "x({square})"),
            Wanted::Go(from, to) => write!(f, "m({from}{to})"),
        }?;
        f.write_str(if self.star { "*" } else { "" })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = |step: &Vec<PlanCondition>| step.iter().map(ToString::to_string).collect::<Vec<_>>().join(" & ");
        f.write_str(&self.steps.iter().map(step).collect::<Vec<_>>().join("; "))
    }
}
