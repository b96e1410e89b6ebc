//! Readings of Bell's description of his program's strategy.

/// One reading of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyReading {
    /// Which captures of the third half-move count in an exchange.
    pub swing: Swing,
    /// How the numbers are combined.
    pub order: Order,
    /// Which moves are counted as control.
    pub control: Control,
}

/// Which captures of the third half-move count in the swing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swing {
    /// None: two half-moves only.
    TwoHalfMoves,
    /// The best, if the reply won something.
    AfterCaptures,
    /// The best on the square where the reply ended, if the reply won something.
    Recaptures,
    /// The best, always: threats count too.
    Every,
}

/// How swing, rank and control make one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Swing; then the rank of the piece taken, if it is more than a pawn; then control.
    SwingRankControl,
    /// As the first, but taking a pawn is preferred too.
    PawnsToo,
    /// Swing, then control.
    SwingControl,
    /// One sum: ten times the gains, twice that of the third half-move, plus control.
    Weighted,
    /// Only swing.
    SwingAlone,
    /// Only control.
    ControlAlone,
}

/// Which moves are counted as control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// The side's moves after the reply: the fewest over the worst replies.
    AfterReply,
    /// The side's moves directly after its own move.
    AtOnce,
    /// The same, less the other side's moves.
    AtOnceLessTheirs,
}

impl Control {
    /// Whether the count does not depend on the reply.
    pub(super) fn before_replies(self) -> bool {
        self != Control::AfterReply
    }
}

impl StrategyReading {
    /// Of the readings in the form that the text suggests, the one that reproduces most moves: 20 of 24.
    pub const SWAP: StrategyReading =
        StrategyReading { swing: Swing::AfterCaptures, order: Order::SwingRankControl, control: Control::AfterReply };

    /// Swing and control after a reply; the worst reply has the smallest pair.
    pub(super) fn result(self, gain: i32, reply_gain: i32, best: &[i32; 2], control: i32) -> (i32, i32) {
        let [best, best_there] = *best;
        let third = match self.swing {
            Swing::TwoHalfMoves => 0,
            Swing::AfterCaptures if reply_gain > 0 => best,
            Swing::Recaptures if reply_gain > 0 => best_there,
            Swing::AfterCaptures | Swing::Recaptures => 0,
            Swing::Every => best,
        };
        match self.order {
            Order::SwingRankControl | Order::PawnsToo | Order::SwingControl => (gain - reply_gain + third, control),
            Order::Weighted => (10 * gain - 10 * reply_gain + 2 * third + control, 0),
            Order::SwingAlone => (gain - reply_gain + third, 0),
            Order::ControlAlone => (0, control),
        }
    }

    /// The second number of a move's value.
    pub(super) fn rank(self, gain: i32) -> i32 {
        match self.order {
            Order::SwingRankControl => (gain - 1).max(0),
            Order::PawnsToo => gain,
            Order::SwingControl | Order::Weighted | Order::SwingAlone | Order::ControlAlone => 0,
        }
    }
}

/// A reading with its name on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedReading {
    /// The name.
    pub name: &'static str,
    /// The reading.
    pub reading: StrategyReading,
    /// A one-line description.
    pub summary: &'static str,
    /// How many of the 24 historical moves it chooses: with the queen barred up to move 5, and without. Among moves of
    /// equal value the order of the survey decides.
    pub reproduced: [usize; 2],
    /// How many of them no other move beats, with the queen barred.
    pub unbeaten: usize,
}

const fn named(
    name: &'static str,
    (swing, order, control): (Swing, Order, Control),
    (reproduced, unbeaten): ([usize; 2], usize),
    summary: &'static str,
) -> NamedReading {
    NamedReading { name, reading: StrategyReading { swing, order, control }, summary, reproduced, unbeaten }
}

/// The readings that were tried, the default first.
#[rustfmt::skip] // a table: one reading a line
pub static READINGS: [NamedReading; 11] = [
    named("swap", (Swing::AfterCaptures, Order::SwingRankControl, Control::AfterReply), ([20, 19], 20), "exchanges played out, then the piece taken, then moves after the worst reply"),
    named("swap-pawns", (Swing::AfterCaptures, Order::PawnsToo, Control::AfterReply), ([19, 18], 19), "swap, and exchanges of pawns are preferred too"),
    named("swap-no-rank", (Swing::AfterCaptures, Order::SwingControl, Control::AfterReply), ([19, 18], 19), "swap without the preference for powerful pieces"),
    named("swap-at-once", (Swing::AfterCaptures, Order::SwingRankControl, Control::AtOnce), ([18, 16], 20), "swap, moves counted directly after the own move"),
    named("recapture", (Swing::Recaptures, Order::SwingRankControl, Control::AtOnce), ([18, 16], 19), "only recaptures on the reply's square count; moves directly after the own move"),
    named("two-half-moves", (Swing::TwoHalfMoves, Order::SwingRankControl, Control::AtOnce), ([16, 15], 19), "the third half-move wins nothing; moves directly after the own move"),
    named("threats-net", (Swing::Every, Order::SwingRankControl, Control::AtOnceLessTheirs), ([14, 13], 15), "every third capture counts; own moves less the enemy's"),
    named("threats", (Swing::Every, Order::SwingControl, Control::AfterReply), ([12, 11], 12), "every third capture counts; own moves"),
    named("weighted", (Swing::Every, Order::Weighted, Control::AtOnce), ([19, 18], 20), "one weighted sum of gains, threats and moves"),
    named("swing-alone", (Swing::AfterCaptures, Order::SwingAlone, Control::AfterReply), ([8, 8], 23), "exchanges alone"),
    named("control-alone", (Swing::AfterCaptures, Order::ControlAlone, Control::AfterReply), ([9, 5], 13), "moves alone"),
];
