//! The outcome of a run, and the result of comparing it with the native one.

use crate::prelude::*;
use m220_limits::End;
use m220_machine::{Stop, StopReason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Why a correctly working machine gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Refusal {
    /// A table of the machine program is full.
    TableFull(FullTable),
    /// Something is longer than the machine program can hold, or takes too long; the program's own words.
    TooLong(&'static str),
    /// The machine program does not accept such input; its own words.
    Unsupported(&'static str),
    /// The instruction limit was reached.
    Limit,
    /// The run was interrupted, or its time was up.
    Stopped,
}

impl Refusal {
    /// The name that the command line prints.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Refusal::TableFull(_) => "table-full",
            Refusal::TooLong(_) => "too-long",
            Refusal::Unsupported(_) => "unsupported",
            Refusal::Limit | Refusal::Stopped => "limit",
        }
    }
}

/// The cost of a run, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunReport {
    /// Instructions executed and their modelled time.
    pub clock: Clock,
    /// The cells of the image, the cells that the harness wrote, and the cells that the program wrote.
    pub cells_used: usize,
    /// Why the machine stopped.
    pub stop: Stop,
    /// What ended the run from outside, if anything did: the stop is then that of the instruction limit.
    pub ended: Option<End>,
}

/// The answer of a machine program, or why there is none.
pub type MachineOutcome<T> = Result<T, NoAnswer>;

/// Why a machine program left no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// It refused, or reached the instruction limit.
    Refused(Refusal),
    /// The machine stopped without an answer, or left an impossible one; the details in words.
    Fault(String),
}

impl NoAnswer {
    /// A cell's word is not what should be there.
    pub(crate) fn of_word((at, word): (CoreAddress, Word), expected: &str) -> NoAnswer {
        NoAnswer::Fault(format!("the word {} in {at} is not {expected}", word.grouped()))
    }

    /// Succeeds if the machine halted.
    pub(crate) fn unless_halted(RunReport { stop, ended, .. }: &RunReport) -> Result<(), NoAnswer> {
        match stop.reason {
            _ if ended.is_some() => Err(NoAnswer::Refused(Refusal::Stopped)),
            StopReason::Halt => Ok(()),
            StopReason::InstructionLimit => Err(NoAnswer::Refused(Refusal::Limit)),
            _ => Err(NoAnswer::Fault(format!("the machine stopped: {stop}"))),
        }
    }
}

/// The result code of a machine program that did its work.
///
/// The result codes are the same in all machine programs, in the address part of their cell `result`: 0 not finished,
/// 1 done, 2 and 3 the program's own "no" (its head says what each means), 4 a table is full, 5 a question that it
/// does not accept, 6 too long for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultCode {
    /// 1: the question is answered.
    Done,
    /// 2: the first of the program's own "no" answers.
    FirstNo,
    /// 3: the second.
    SecondNo,
}

impl ResultCode {
    /// Succeeds for code 1; `fault` says what is wrong with the others.
    pub(crate) fn expect_done(self, fault: &str) -> Result<(), NoAnswer> {
        if self == ResultCode::Done { Ok(()) } else { Err(NoAnswer::Fault(fault.to_owned())) }
    }
}

/// A run of a machine program and its outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineRun<T> {
    /// Instructions, time and stop.
    pub report: RunReport,
    /// The outcome.
    pub outcome: MachineOutcome<T>,
}

/// A run, or why the program cannot be run.
pub type MachineResult<T> = Result<MachineRun<T>, ProgramError>;

impl<T> MachineRun<T> {
    /// `ok`, the name of the refusal, or `fault`.
    #[must_use]
    pub fn result(&self) -> &'static str {
        match &self.outcome {
            Ok(_) => "ok",
            Err(NoAnswer::Refused(refusal)) => refusal.name(),
            Err(NoAnswer::Fault(_)) => "fault",
        }
    }

    /// The answer, if there is one.
    #[must_use]
    pub fn answer(&self) -> Option<&T> {
        self.outcome.as_ref().ok()
    }

    /// The same run with its answer transformed.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> MachineRun<U> {
        MachineRun { report: self.report, outcome: self.outcome.map(change) }
    }
}

/// The answers of both engines, and the result of comparing them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared<N, M = N> {
    /// By the native reference.
    pub native: N,
    /// By the machine.
    pub machine: MachineRun<M>,
    /// Whether they agree.
    pub verdict: Verdict,
}

/// The same where the native reference may refuse to list too many trajectories.
pub type ComparedLists<N, M = N> = Compared<Result<N, TooMany>, M>;

impl<N, M> Compared<N, M> {
    /// Compares a native answer, if there is one, with the machine's.
    pub(crate) fn of(
        native: N,
        machine: MachineRun<M>,
        compare: impl FnOnce(&N, &M) -> Result<Vec<Difference>, String>,
    ) -> Self {
        let verdict = Verdict::judged(&machine.outcome, |machine| compare(&native, machine));
        Compared { native, machine, verdict }
    }
}

/// The reason without the number, so that refusals can be counted by reason.
pub(crate) fn listed<T>(native: &Result<T, TooMany>) -> Result<&T, String> {
    native.as_ref().map_err(|_| "more trajectories than are listed".to_owned())
}

/// One of the two implementations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Implementation {
    /// The native reference.
    Native,
    /// The machine program.
    Machine,
}

/// Something that only one of the two found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// The thing, in chess terms: a trajectory, an attack, a number of moves; or what is wrong with the machine's
    /// answer.
    pub item: String,
    /// Which of the two found it.
    pub only_in: Implementation,
}

impl Difference {
    /// Something that only the native reference found.
    pub fn native(item: impl fmt::Display) -> Difference {
        Difference { item: item.to_string(), only_in: Implementation::Native }
    }

    /// Something that only the machine found.
    pub fn machine(item: impl fmt::Display) -> Difference {
        Difference { item: item.to_string(), only_in: Implementation::Machine }
    }
}

impl fmt::Display for Difference {
    /// `missing on the machine: e5f6g7`, `only on the machine: e5f6g7`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.only_in {
            Implementation::Native => write!(f, "missing on the machine: {}", self.item),
            Implementation::Machine => write!(f, "only on the machine: {}", self.item),
        }
    }
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Both agree.
    Equal,
    /// They differ, or the machine's answer is impossible; at least one difference.
    Different(Vec<Difference>),
    /// One of the two gave no answer. Never counted as equal.
    NoVerdict(NoVerdict),
}

/// Which of the two gave no answer, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NoVerdict {
    /// The machine program refused, or reached the instruction limit.
    Machine(Refusal),
    /// The native reference refused.
    Native(String),
}

impl fmt::Display for NoVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoVerdict::Machine(refusal) => write!(f, "machine: {}", refusal.name()),
            NoVerdict::Native(reason) => write!(f, "native: {reason}"),
        }
    }
}

impl NoVerdict {
    /// The reason in words for people.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            NoVerdict::Machine(Refusal::TableFull(table)) => format!("{} is full", table.name),
            NoVerdict::Machine(Refusal::TooLong(why) | Refusal::Unsupported(why)) => (*why).to_owned(),
            NoVerdict::Machine(Refusal::Stopped) => "the machine was stopped before its end".to_owned(),
            NoVerdict::Machine(Refusal::Limit) => "the instruction limit was reached (--max-instructions)".to_owned(),
            NoVerdict::Native(reason) => format!("native: {reason}"),
        }
    }
}

impl Verdict {
    /// The verdict from a list of differences, the most important first.
    #[must_use]
    pub fn of(differences: Vec<Difference>) -> Verdict {
        if differences.is_empty() { Verdict::Equal } else { Verdict::Different(differences) }
    }

    /// Compares two results. A fault of the machine is a difference; a refusal by either gives no verdict.
    pub fn between<N, M>(
        native: Result<&N, String>,
        machine: &MachineOutcome<M>,
        compare: impl FnOnce(&N, &M) -> Vec<Difference>,
    ) -> Verdict {
        Verdict::judged(machine, |machine| native.map(|native| compare(native, machine)))
    }

    /// The same, from a comparison that may find no native answer.
    fn judged<M>(machine: &MachineOutcome<M>, compare: impl FnOnce(&M) -> Result<Vec<Difference>, String>) -> Verdict {
        match machine {
            Err(NoAnswer::Fault(fault)) => Verdict::of(vec![Difference::machine(fault)]),
            Err(NoAnswer::Refused(refusal)) => Verdict::NoVerdict(NoVerdict::Machine(*refusal)),
            Ok(machine) => {
                compare(machine).map_or_else(|reason| Verdict::NoVerdict(NoVerdict::Native(reason)), Verdict::of)
            }
        }
    }

    /// Combines two verdicts on the same case: a difference in either is a difference; otherwise no verdict in either is
    /// no verdict.
    #[must_use]
    pub fn and(self, other: Verdict) -> Verdict {
        match (self, other) {
            (Verdict::Different(mut first), Verdict::Different(second)) => {
                first.extend(second.into_iter().filter(|difference| !first.contains(difference)).collect::<Vec<_>>());
                Verdict::Different(first)
            }
            (different @ Verdict::Different(_), _) | (_, different @ Verdict::Different(_)) => different,
            (none @ Verdict::NoVerdict(_), _) | (_, none @ Verdict::NoVerdict(_)) => none,
            (Verdict::Equal, Verdict::Equal) => Verdict::Equal,
        }
    }

    /// Whether both agree; `None` without a verdict.
    #[must_use]
    pub fn equal(&self) -> Option<bool> {
        match self {
            Verdict::Equal => Some(true),
            Verdict::Different(_) => Some(false),
            Verdict::NoVerdict(_) => None,
        }
    }

    /// The reason, if there is no verdict.
    #[must_use]
    pub fn no_verdict(&self) -> Option<&NoVerdict> {
        match self {
            Verdict::NoVerdict(reason) => Some(reason),
            Verdict::Equal | Verdict::Different(_) => None,
        }
    }

    /// The differences; empty if equal or without a verdict.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        match self {
            Verdict::Different(differences) => differences,
            Verdict::Equal | Verdict::NoVerdict(_) => &[],
        }
    }
}

/// The items that only one of two answers has. Equal answers are not put into items.
pub(crate) fn compare_items<T: PartialEq>(
    native: &T,
    machine: &T,
    items: impl Fn(&T) -> Vec<String>,
) -> Vec<Difference> {
    if native == machine { Vec::new() } else { compare_sets(items(native), items(machine)) }
}

/// The items that only one of two collections has, regardless of order; repetitions count.
pub fn compare_sets<T: Ord + fmt::Display>(
    native: impl IntoIterator<Item = T>,
    machine: impl IntoIterator<Item = T>,
) -> Vec<Difference> {
    let mut counts: BTreeMap<T, (usize, usize)> = BTreeMap::new();
    native.into_iter().for_each(|item| counts.entry(item).or_default().0 += 1);
    machine.into_iter().for_each(|item| counts.entry(item).or_default().1 += 1);
    let one_sided = |(item, (native, machine)): (T, (usize, usize))| match (native, machine) {
        (native, machine) if native == machine => None,
        (_, 0) => Some(Difference::native(item)),
        (0, _) => Some(Difference::machine(item)),
        (native, machine) if machine > native => Some(Difference::machine(format!("{item} ({machine} times)"))),
        (native, _) => Some(Difference::native(format!("{item} ({native} times)"))),
    };
    counts.into_iter().filter_map(one_sided).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_compare_without_order_but_with_repetitions() {
        assert_eq!(compare_sets(["a", "b"], ["b", "a"]), []);
        let found = compare_sets(["a", "b", "c"], ["c", "b", "b", "d"]);
        let texts: Vec<String> = found.iter().map(Difference::to_string).collect();
        assert_eq!(texts, ["missing on the machine: a", "only on the machine: b (2 times)", "only on the machine: d"]);
    }

    #[test]
    fn a_difference_outweighs_a_refusal_and_a_refusal_an_agreement() {
        let different = Verdict::of(vec![Difference::machine("x")]);
        let none = Verdict::NoVerdict(NoVerdict::Machine(Refusal::Limit));
        assert_eq!(different.clone().and(none.clone()), different);
        assert_eq!(none.clone().and(different.clone()), different);
        assert_eq!(Verdict::Equal.and(none.clone()), none);
        assert_eq!(Verdict::Equal.and(Verdict::Equal), Verdict::Equal);
        assert_eq!(Verdict::of(Vec::new()), Verdict::Equal);
    }

    #[test]
    fn a_fault_is_a_difference_even_where_the_reference_gives_up() {
        let fault = MachineOutcome::<()>::Err(NoAnswer::Fault("rubbish".to_owned()));
        let compare = |_: &(), _: &()| Vec::new();
        assert_eq!(Verdict::between(Err("too many".to_owned()), &fault, compare).equal(), Some(false));
        let refused = Err(NoAnswer::Refused(Refusal::TableFull(FullTable::UNNAMED)));
        assert_eq!(Verdict::between(Ok(&()), &refused, compare).equal(), None);
        assert_eq!(Verdict::between(Err("too many".to_owned()), &Ok(()), compare).equal(), None);
    }
}
