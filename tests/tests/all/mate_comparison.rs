//! The comparison of mate problems works: the harness finds each fault planted in the machine program among random
//! positions, reduces the position, and names the difference. `mate_machine` tests that the sound program agrees with the
//! native one and with brute force.

use m220_chess::{ChessProgram, MateProgram, Settings, Verdict};
use m220_compare::{Harness, Mates, Shard, judge_all, mates};
use m220_machine::Model;
use m220_tests::planted;

/// A fault may send the program astray forever.
const ENOUGH: u64 = 2_000_000;

/// Cases of the series: enough to meet each of the faults.
const CASES: u64 = 160;

/// Runs the series with a faulty program. In the reduced first case that differs, the sound program agrees. Returns the
/// differences of all cases kept.
fn found(sound: &str, faulty: &str) -> Vec<String> {
    let (right, wrong): (MateProgram, MateProgram) =
        (ChessProgram::built_in().unwrap(), planted::program_with(sound, faulty));
    let settings = Settings::new(Model::M220, ENOUGH);
    let harness = Harness::<Mates>::new(wrong, settings.clone());
    let tally = judge_all(&harness, CASES, Shard::WHOLE, |number| mates::random::case(1970, number), &|| ());
    assert!(tally.different > 0, "`{faulty}` goes unnoticed");
    assert!(tally.equal > 0, "`{faulty}` is not a small fault");
    for failure in &tally.failures {
        let small = &failure.smallest;
        assert_eq!(failure.verdict.equal(), Some(false));
        let pieces = |case: &mates::MateCase| case.problem.board().occupied().count();
        assert!(pieces(small) <= pieces(&failure.found));
        assert_eq!(right.compare(&small.problem, small.moves, |_| true, &settings).unwrap().verdict, Verdict::Equal);
    }
    tally.failures.iter().flat_map(|failure| failure.verdict.differences()).map(ToString::to_string).collect()
}

/// One entry of a table: where a black pawn gives check from.
#[test]
fn a_wrong_entry_of_the_attack_table() {
    let differences = found("OR      centre+21, black_pawns, centre+21", "OR      centre+21, white_pawns, centre+21");
    assert!(differences.iter().any(|text| text.contains("positions visited at level")), "{differences:?}");
}

/// One entry of another: White's right to castle on the king's side is looked up in the wrong place.
#[test]
fn a_wrong_bit_of_the_castling_rights() {
    let differences = found("kingside: fields 0, 0, 1 ", "kingside: fields 0, 0, 2 ");
    assert!(differences.iter().any(|text| text.contains("positions visited at level 1")), "{differences:?}");
}

/// The keys are right, but the trees have no threats: only comparing the trees can show that.
#[test]
fn threats_that_are_not_looked_for() {
    let differences = found(".asked: JO      0, .pass", ".asked: JO      0, .next");
    assert!(differences.iter().all(|text| text.contains(": 1.")), "{differences:?}");
    assert!(differences.iter().any(|text| text.contains(" threat ")), "{differences:?}");
}
