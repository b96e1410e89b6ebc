//! Operand expressions, kept in postfix order so that no input can exhaust the stack.

use crate::source::Span;

/// One step of an expression in postfix order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PostfixStep {
    /// Malformed and already reported.
    Bad,
    /// A number.
    Number(i64),
    /// A name as written, with its span.
    Name(String, Span),
    /// The cell of the word being assembled, `.`.
    Here,
    /// The sum of the two preceding values.
    Add,
    /// Their difference.
    Subtract,
    /// Their product.
    Multiply,
    /// The preceding value, negated.
    Negate,
    /// The 12-bit cell of an address.
    Cell,
    /// The cube of an address.
    Cube,
}

/// An expression and its span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expression {
    pub steps: Vec<PostfixStep>,
    pub span: Span,
}

/// The largest magnitude of a value: small enough that products never overflow silently.
pub(crate) const LARGEST_VALUE: i64 = 1 << 45;

impl Expression {
    /// Evaluates the expression. `here` is the value of `.`; `lookup` returns the value of a name, or reports why it has
    /// none.
    ///
    /// # Errors
    /// What is wrong with it; `None` if that was already reported.
    pub fn evaluate(
        &self,
        here: Option<i64>,
        mut lookup: impl FnMut(&str, Span) -> Option<i64>,
    ) -> Result<i64, Option<&'static str>> {
        let mut stack: Vec<i64> = Vec::new();
        let pop = |stack: &mut Vec<i64>| stack.pop().unwrap_or(0);
        for step in &self.steps {
            let value = match step {
                PostfixStep::Bad => return Err(None),
                PostfixStep::Number(value) => Some(*value),
                PostfixStep::Name(name, span) => Some(lookup(name, *span).ok_or(None::<&str>)?),
                PostfixStep::Here => Some(here.ok_or(Some("`.` has no value before the first `origin`"))?),
                PostfixStep::Add | PostfixStep::Subtract | PostfixStep::Multiply => {
                    let right = pop(&mut stack);
                    let left = pop(&mut stack);
                    match step {
                        PostfixStep::Add => left.checked_add(right),
                        PostfixStep::Subtract => left.checked_sub(right),
                        _ => left.checked_mul(right),
                    }
                }
                PostfixStep::Negate => pop(&mut stack).checked_neg(),
                PostfixStep::Cell => Some(pop(&mut stack) & 0o7777),
                PostfixStep::Cube => Some(pop(&mut stack) >> 12 & 7),
            };
            let value = value.filter(|value| value.abs() <= LARGEST_VALUE);
            stack.push(value.ok_or(Some("the value leaves the range of 45 bits"))?);
        }
        Ok(pop(&mut stack))
    }
}
