//! Parses operand expressions.

use super::Parse;
use super::cursor::{AN_OPERAND, Cursor};
use crate::expression::LARGEST_VALUE;
use crate::prelude::*;

/// How deep parentheses may nest.
const DEEPEST_EXPRESSION: usize = 64;
/// The most numbers, names and operators in one expression.
const MOST_STEPS: usize = 1000;

impl Cursor<'_> {
    pub(super) fn expression(&mut self) -> Parse<Expression> {
        self.skip_blanks();
        let from = self.at;
        let mut steps = Vec::new();
        self.sum(&mut steps)?;
        Ok(Expression { steps, span: self.since(from) })
    }

    pub(super) fn sum(&mut self, steps: &mut Vec<PostfixStep>) -> Parse<()> {
        self.joined(steps, &[('+', PostfixStep::Add), ('-', PostfixStep::Subtract)], Cursor::product)
    }

    pub(super) fn product(&mut self, steps: &mut Vec<PostfixStep>) -> Parse<()> {
        self.joined(steps, &[('*', PostfixStep::Multiply)], Cursor::factor)
    }

    /// Operands joined by operators of one strength.
    fn joined(
        &mut self,
        steps: &mut Vec<PostfixStep>,
        operators: &[(char, PostfixStep)],
        operand: fn(&mut Self, &mut Vec<PostfixStep>) -> Parse<()>,
    ) -> Parse<()> {
        operand(self, steps)?;
        loop {
            let end = self.at;
            let Some((_, step)) = operators.iter().find(|(sign, _)| self.take(*sign)) else {
                self.at = end;
                return Ok(());
            };
            operand(self, steps)?;
            steps.push(step.clone());
            self.check_length(steps)?;
        }
    }

    fn check_length(&self, steps: &[PostfixStep]) -> Parse<()> {
        if steps.len() <= MOST_STEPS {
            return Ok(());
        }
        Err(Box::new(self.since(self.at).error("this expression is too long")))
    }

    pub(super) fn factor(&mut self, steps: &mut Vec<PostfixStep>) -> Parse<()> {
        self.skip_blanks();
        self.depth += 1;
        if self.depth > DEEPEST_EXPRESSION {
            return Err(Box::new(self.here().error("expression nested too deeply")));
        }
        match self.peek() {
            Some('(') => {
                self.take('(');
                self.closing(steps)?;
            }
            Some('-') => {
                self.take('-');
                self.factor(steps)?;
                steps.push(PostfixStep::Negate);
            }
            Some(c) if c.is_ascii_digit() => steps.push(self.number()?),
            _ => match self.name(true) {
                Some(name) => self.symbol(name, steps)?,
                None if self.take('.') => steps.push(PostfixStep::Here),
                None => return self.expected(AN_OPERAND),
            },
        }
        self.depth -= 1;
        Ok(())
    }

    pub(super) fn symbol(&mut self, name: Name, steps: &mut Vec<PostfixStep>) -> Parse<()> {
        let function = match name.text.as_str() {
            "cell" => Some(PostfixStep::Cell),
            "cube" => Some(PostfixStep::Cube),
            _ => None,
        };
        let end = self.at;
        match function {
            Some(step) if self.take('(') => {
                self.closing(steps)?;
                steps.push(step);
            }
            _ => {
                self.at = end;
                steps.push(PostfixStep::Name(name.text, name.span));
            }
        }
        Ok(())
    }

    /// Parses an expression and its closing parenthesis.
    pub(super) fn closing(&mut self, steps: &mut Vec<PostfixStep>) -> Parse<()> {
        self.sum(steps)?;
        if self.take(')') { Ok(()) } else { self.expected("`)`") }
    }

    pub(super) fn number(&mut self) -> Parse<PostfixStep> {
        let from = self.at;
        let text = self.take_while(is_name_part);
        let span = self.since(from);
        let (digits, radix) = match text.strip_suffix(['d', 'D']) {
            Some(digits) => (digits, 10),
            None => (text, 8),
        };
        let value = if digits.chars().all(|c| c.is_digit(radix)) { i64::from_str_radix(digits, radix) } else { Ok(-1) };
        match value {
            Ok(value @ 0..=LARGEST_VALUE) => Ok(PostfixStep::Number(value)),
            Ok(-1) => {
                let error = span.error(sentence!("`{text}` is not a number", text));
                Err(Box::new(if digits.bytes().all(|b| b.is_ascii_digit()) {
                    error
                        .label("8 and 9 are not octal digits")
                        .help(sentence!("numbers are octal: for decimal, write `{digits}d`", digits))
                } else {
                    error
                        .label("expected octal digits, or decimal digits and `d`")
                        .help("a name does not begin with a digit")
                }))
            }
            _ => Err(Box::new(span.error("the number has more than 45 bits"))),
        }
    }
}
