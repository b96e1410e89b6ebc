//! The numbered formulas of chapter II, one function for each that the map uses.
//!
//! The book writes its functions with the sign of a quotient, ½ (1 - x / |x|), so that they take the values 0 and 1
//! only. Here they return those two numbers, and products and sums can be read beside the book. Values of pieces are in
//! pawns, times in half-moves.
//!
//! | formula | function | what it says |
//! |---|---|---|
//! | (1) | [`trajectory_function`] | an attack that cannot be resisted |
//! | (2) | - | psi, the moment of capture |
//! | (3) | [`square_function`] | a square that is free and safe |
//! | (3') | [`rho`] | nobody controls or blocks the square in time |
//! | (3'') | [`tau`] | the fight for the square does not lose material |
//! | (4) | [`attacked_value`] | what the attack really wins |
//! | (4') | [`tau_of_difference`] | no square before the last wins less |
//! | (4'') | [`phi`] | the attacked side may choose the cheaper fight |
//! | (5) | - | what a defence changes |
//! | (6) | - | what the negation of a defence changes |
//! | (7) | [`real_square_function`] | a square's function after all negations |
//! | (8'), (8'') | - | the exchange on one square |
//! | (9'), (9'') | [`white_may_hope`], [`black_may_hope`] | whether a variation is worth going on with |
//! | (10) | [`gamma`] | whether the way to a piece has become freer |
//! | (11) | [`few_enough_closed_squares`] | whether positional play can be afforded |
//! | (12) | - | whether a sacrifice pays |
//!
//! Those without a function the map gets in another way. It weighs an attack at the moment of capture, where psi of (2)
//! is 1; it replaces the functions f by (7), so the changes that (5) and (6) value are never summed;
//! [`best_exchange`](super::exchange::best_exchange) lets both sides stop where it pays them, which (8) only allows; and a
//! move is chosen by the two sides' difference in (12), [`Assessment`](super::Assessment), not by its sign.

/// Formula (1), theta of White's attacks and F of Black's: the product of (1 - f_k) over the squares of retreat times
/// the product of f_i over the alpha fields. 1 if every alpha field can be passed and no retreat is safe.
///
/// ```
/// use chess_reference::map::formulas::trajectory_function;
/// assert_eq!(trajectory_function([], [1, 1, 1]), 1);
/// assert_eq!(trajectory_function([0, 1], [1, 1, 1]), 0, "one safe retreat is enough");
/// assert_eq!(trajectory_function([0, 0], [1, 0, 1]), 0, "one closed square is enough");
/// ```
pub fn trajectory_function(
    retreats: impl IntoIterator<Item = i32>,
    alpha_squares: impl IntoIterator<Item = i32>,
) -> i32 {
    let no_retreat: i32 = retreats.into_iter().map(|f| 1 - f).product();
    let open: i32 = alpha_squares.into_iter().product();
    no_retreat * open
}

/// How a negating piece stands against a square: formula (3') gives the two kinds different times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Interference {
    /// It takes the attacker on the square: a = 2.
    Control,
    /// It stands on the square, or between two squares, before the attacker comes: a = 0.
    Block,
}

/// Formula (3'): rho is 0 if the negating piece is in time and 1 if it is not. `attacker` is n_ik, the half-moves the
/// attacker needs to the square, `negator` is n_rk, those the negating piece needs. Control is possible if
/// n_ik - n_rk + 2 > 0, a block if n_ik - n_rk > 0.
///
/// ```
/// use chess_reference::map::formulas::{rho, Interference};
/// // Fig. 2: both pieces bear on d4. Black is to move: his bishop comes in one half-move, White's rook in two.
/// assert_eq!(rho(1, 2, Interference::Control), 0, "the rook takes the bishop on d4");
/// assert_eq!(rho(1, 2, Interference::Block), 1, "the rook is not there before the bishop");
/// ```
pub const fn rho(attacker: u32, negator: u32, how: Interference) -> i32 {
    let a = match how {
        Interference::Control => 2,
        Interference::Block => 0,
    };
    step_down(attacker as i32 - negator as i32 + a)
}

/// Formula (3''): tau is 1 if the exchange gain `m` is not negative. The book's 0.1 only decides the case m = 0.
pub const fn tau(m: i32) -> i32 {
    step_up(m)
}

/// Formula (3): f = tau + rho - tau rho. The square is safe if nobody contests it or if the fight there loses nothing.
pub const fn square_function(tau: i32, rho: i32) -> i32 {
    tau + rho - tau * rho
}

/// Formula (4'): 1 if the gain `m_i` on a square before the last is not less than the gain `m_k` on the last.
pub const fn tau_of_difference(m_i: i32, m_k: i32) -> i32 {
    step_up(m_i - m_k)
}

/// Formula (4''): phi = 1 - rho - tau + rho tau, which is 1 only if the square is contested and wins less: then the
/// attacked side chooses to fight there.
pub const fn phi(rho: i32, tau_of_difference: i32) -> i32 {
    1 - rho - tau_of_difference + rho * tau_of_difference
}

/// Formula (4) at the end of the attack (all psi = 1): m = m_k + (m_i - m_k) phi_i. The attacked value falls from the
/// gain on the last square to the least gain on any contested square before it. `squares` holds m_i and rho_i.
///
/// ```
/// use chess_reference::map::formulas::attacked_value;
/// // Fig. 3: the rook attacks the king (200), but on e5 and f5 Black may give his queen for it: 9 - 5 = 4.
/// assert_eq!(attacked_value(200, &[(4, 0), (4, 0)]), 4);
/// assert_eq!(attacked_value(200, &[(4, 1)]), 200, "a square that nobody contests does not count");
/// ```
pub fn attacked_value(m_k: i32, squares: &[(i32, i32)]) -> i32 {
    squares.iter().fold(m_k, |m, &(m_i, rho_i)| m + (m_i - m) * phi(rho_i, tau_of_difference(m_i, m)))
}

/// One bracket of formula (7): f + (f' - f) times the product of the real functions of the negating trajectory's
/// squares. Nesting the calls nests the brackets.
///
/// ```
/// use chess_reference::map::formulas::real_square_function as real;
/// // The book's [1(f6) + (0-1) * 1(jQe7) * 1(f6)]: taken on f6, the function falls to 0.
/// assert_eq!(real(1, 0, [1, 1]), 0);
/// // After 1.Qxd5: {1(e6) + (0-1) * [1(Qd5) + (0-1) * 1(jNf6) * 1(d5)]}: the guard can itself be taken.
/// assert_eq!(real(1, 0, [real(1, 0, [1, 1])]), 1);
/// ```
pub fn real_square_function(f: i32, changed: i32, negating: impl IntoIterator<Item = i32>) -> i32 {
    f + (changed - f) * negating.into_iter().product::<i32>()
}

/// Formula (9'): the variation is worth going on with for White while
/// sum |jV| - sum |M| >= -sum |jV| theta - sum (1 - theta) |jV| gamma. `doomed` is the first sum (valued by formula
/// (4)), `hoped` the second.
pub const fn white_may_hope(balance: i32, doomed: i32, hoped: i32) -> bool {
    balance >= -doomed - hoped
}

/// Formula (9''): the same for Black, sum |jV| - sum |M| <= sum |M| F + sum (1 - F) |M| gamma.
pub const fn black_may_hope(balance: i32, doomed: i32, hoped: i32) -> bool {
    balance <= doomed + hoped
}

/// Formula (10): gamma is 1 if the number q of alpha fields with f = 0 falls (`delta_q` < 0), else 0. The book's text
/// gives -1 otherwise, its formula 0: the formula is followed, since with -1 the hope would turn into a debt, and a
/// piece that cannot be reached would be counted as lost.
pub const fn gamma(delta_q: i32) -> i32 {
    // (delta_q + 0.1) / |delta_q + 0.1| is -1 below zero and 1 from zero on.
    1 - step_up(delta_q)
}

/// Formula (11): q < nu, the number of closed squares is small enough that further pieces may be brought against them.
pub const fn few_enough_closed_squares(q: u32, nu: u32) -> bool {
    q < nu
}

/// ½ (1 - x / |x|) with 0 counted as not positive: 0 for x > 0, else 1.
const fn step_down(x: i32) -> i32 {
    if x > 0 { 0 } else { 1 }
}

/// ½ (1 + (x + 0.1) / |x + 0.1|): 1 for x >= 0, else 0.
const fn step_up(x: i32) -> i32 {
    if x >= 0 { 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formula_3_free_or_won() {
        // tau, rho: only a contested square where the fight loses is closed.
        assert_eq!([(0, 0), (0, 1), (1, 0), (1, 1)].map(|(tau, rho)| square_function(tau, rho)), [0, 1, 1, 1]);
        assert_eq!([-1, 0, 1].map(tau), [0, 1, 1], "an even exchange is no loss");
    }

    #[test]
    fn formula_3_times() {
        // A guard two half-moves behind the attacker is too late; a block must be there before it.
        assert_eq!([0, 1, 2, 3, 4].map(|guard| rho(1, guard, Interference::Control)), [0, 0, 0, 1, 1]);
        assert_eq!([0, 1, 2].map(|block| rho(1, block, Interference::Block)), [0, 1, 1]);
    }

    #[test]
    fn formula_4_the_cheaper_fight() {
        assert_eq!([(4, 200), (200, 4), (4, 4)].map(|(i, k)| tau_of_difference(i, k)), [0, 1, 1]);
        // Only if contested and cheaper.
        assert_eq!([(0, 0), (0, 1), (1, 0), (1, 1)].map(|(rho, tau)| phi(rho, tau)), [1, 0, 0, 0]);
        assert_eq!(attacked_value(9, &[(3, 0), (1, 0), (0, 1)]), 1, "the least of the contested");
        assert_eq!(attacked_value(9, &[(12, 0)]), 9);
    }

    #[test]
    fn formula_7_nests() {
        // A negation counts unless it is negated; three deep it counts again.
        let third = real_square_function(1, 0, [1]);
        let second = real_square_function(1, 0, [third]);
        let first = real_square_function(1, 0, [second]);
        assert_eq!((third, second, first), (0, 1, 0));
        assert_eq!(real_square_function(1, 0, [1, 0]), 1, "a closed square on its way stops the defender");
    }

    #[test]
    fn formula_9_the_books_decisions() {
        // 1.Qxf6 Qxf6: 3 - 9 < 0, and Nxd4: 3 > 1.
        assert!(!white_may_hope(3 - 9, 0, 0));
        assert!(!black_may_hope(3, 1, 0));
        // 5.e7: -(1 + 3) > -8.
        assert!(white_may_hope(-4, 8, 0));
        // 1.Ba3 Qb7 2.Nh5: -3 > -200.
        assert!(white_may_hope(-3, 0, 200));
        assert!(black_may_hope(3, 1, 2));
    }

    #[test]
    fn formula_10_hope_needs_a_way_that_opens() {
        assert_eq!([-2, -1, 0, 1].map(gamma), [1, 1, 0, 0]);
    }

    #[test]
    fn formula_11_positional_play() {
        assert!(few_enough_closed_squares(3, 4) && !few_enough_closed_squares(4, 4));
    }
}
