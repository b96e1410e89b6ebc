//! The mate problems in `m220 reproduce` and `m220 bench`.

use crate::command::{keys, m220};
use m220_chess::{ChessProgram, MateProgram};
use m220_tests::planted;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Exit code and standard output of a run.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let ended = m220(arguments);
    (Some(ended.code), ended.out)
}

fn json_of(arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, out) = run(&[arguments, &["--format", "json"]].concat());
    (code, serde_json::from_str(&out).unwrap())
}

fn problem<'a>(mates: &'a Value, name: &str) -> &'a Value {
    mates["problems"].as_array().unwrap().iter().find(|problem| problem["name"] == name).unwrap()
}

/// The record of the sound programs, made once.
static REPRODUCED: LazyLock<(Option<i32>, Value)> = LazyLock::new(|| json_of(&["reproduce", "--runs", "0"]));

/// The measurement of this host, made once.
pub static MEASURED: LazyLock<Value> = LazyLock::new(|| {
    let deck = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/debugger/stops.m220");
    m220(&["bench", "--runs", "1", "--format", "json", "--deck", deck]).code(0).json()
});

#[test]
fn every_problem_is_in_the_record() {
    let (code, document) = &*REPRODUCED;
    assert_eq!((*code, &document["equal"]), (Some(0), &json!(true)));
    assert_eq!(document["machine_programs"][1]["name"], "mate");
    let mates = &document["mates"];
    insta::assert_snapshot!(keys(mates), @"title problems total notes");
    let problems = mates["problems"].as_array().unwrap();
    let total = &mates["total"];
    let all = problems.len();
    assert!(all >= 60);
    assert_eq!((&total["problems"], &total["equal"], &total["as_known"]), (&json!(all), &json!(all), &json!(all)));
    assert_eq!((&total["different"], &total["no_verdict"]), (&json!(0), &json!(0)));

    let morphy = problem(mates, "morphy");
    insta::assert_snapshot!(keys(morphy), @"name origin fen moves keys as_known equal no_verdict differences positions_visited machine time_us_each trees host_us");
    assert_eq!(morphy["keys"], json!({"known": ["a1a6"], "native": ["a1a6"], "machine": ["a1a6"]}));
    let levels = json!([19, 47, 811, 378]);
    assert_eq!(morphy["positions_visited"], json!({"native": levels, "machine": levels}));
    assert_eq!((&morphy["trees"]["count"], &morphy["trees"]["equal"]), (&json!(1), &json!(1)));
    // Without timed runs there are no times of the host.
    assert_eq!(
        (&morphy["host_us"], &total["host_us"], &total["trees"]["host_us"]),
        (&json!(null), &json!(null), &json!(null))
    );
    // A problem without a key has no tree.
    let neither = problem(mates, "langstaff-neither");
    assert_eq!((&neither["keys"]["machine"], &neither["trees"]["count"]), (&json!([]), &json!(0)));

    // The totals are the sums of the rows, and the three named problems are of its order.
    let sum = |of: &dyn Fn(&Value) -> f64| problems.iter().map(of).sum::<f64>();
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() <= 1e-9 * expected;
    assert!(near(&total["instructions"], sum(&|problem| problem["machine"]["instructions"].as_f64().unwrap())));
    for model in ["m20", "m220", "nominal"] {
        let expected = sum(&|problem| problem["machine"]["time_us"][model].as_f64().unwrap());
        assert!(near(&total["time_us"][model], expected), "{model}");
        let trees = sum(&|problem| problem["trees"]["time_us"][model].as_f64().unwrap());
        assert!(near(&total["trees"]["time_us"][model], trees), "{model}");
    }
    let visited = |problem: &Value| -> f64 {
        problem["positions_visited"]["machine"].as_array().unwrap().iter().map(|level| level.as_f64().unwrap()).sum()
    };
    assert!(near(&total["positions_visited"]["machine"], sum(&visited)));
    assert_eq!(total["positions_visited"]["machine"], total["positions_visited"]["native"]);
    assert_eq!(total["trees"]["positions_visited"]["machine"], total["trees"]["positions_visited"]["native"]);
    let mut times: Vec<f64> =
        problems.iter().map(|problem| problem["machine"]["time_us"]["m220"].as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    for (which, index) in [("least", 0), ("middle", all / 2), ("greatest", all - 1)] {
        let named = &total[which];
        assert_eq!(named["time_us"]["m220"], times[index], "{which}");
        assert_eq!(named["time_us"], problem(mates, named["name"].as_str().unwrap())["machine"]["time_us"]);
    }
}

/// The modelled figures are exact: they change only with the machine program.
#[test]
fn the_text_shows_a_few_problems_and_all_together() {
    let (code, out) = run(&["reproduce", "--runs", "0"]);
    assert_eq!(code, Some(0));
    let section = &out[out.find("\nmates, positions visited").unwrap() + 1..];
    let (table, rest) = section.split_once("\n\n").unwrap();
    let (note, _) = rest.split_once('\n').unwrap();
    insta::assert_snapshot!(format!("{table}\n\n{note}"));
}

#[test]
fn a_wrong_word_of_a_table_ends_with_one() {
    let folder = tempfile::tempdir().unwrap();
    // A black pawn beside the king is assumed to give check as a white one does.
    let right = "OR      centre+21, black_pawns, centre+21";
    let wrong = "OR      centre+21, white_pawns, centre+21";
    let program = planted::file_with(folder.path(), &MateProgram::BUILT_IN, right, wrong);
    // A program that has gone astray is not waited for.
    let arguments =
        ["reproduce", "--runs", "0", "--max-instructions", "2000000", "--mate-program", program.to_str().unwrap()];
    let (code, document) = json_of(&arguments);
    assert_eq!((code, &document["equal"]), (Some(1), &json!(false)));
    let total = &document["mates"]["total"];
    assert!(total["different"].as_u64().unwrap() > 0 && total["equal"].as_u64().unwrap() > 0, "{total}");
    let problems = document["mates"]["problems"].as_array().unwrap();
    let different: Vec<&Value> = problems.iter().filter(|problem| problem["equal"] == false).collect();
    assert!(different.iter().all(|problem| !problem["differences"].as_array().unwrap().is_empty()));
    let (code, out) = run(&arguments);
    assert_eq!(code, Some(1));
    let first = different[0];
    let heading = format!("\n{}, mate in {}: {}\n", first["name"].as_str().unwrap(), first["moves"], "");
    assert!(out.contains(heading.trim_end()) && out.contains("NOT ALL TASKS EQUAL"), "{out}");
}

#[test]
fn problems_without_an_answer_are_no_agreement() {
    let (code, document) = json_of(&["reproduce", "--runs", "0", "--max-instructions", "100000"]);
    let total = &document["mates"]["total"];
    // Each of the trajectories takes less than that; of the problems only the easy ones do.
    assert_eq!((code, &document["within_book_times"], &document["equal"]), (Some(4), &json!(true), &json!(false)));
    let (equal, none) = (total["equal"].as_u64().unwrap(), total["no_verdict"].as_u64().unwrap());
    assert!(equal > 0 && none > 0 && equal + none == total["problems"].as_u64().unwrap(), "{total}");
    assert_eq!((&total["positions_visited"]["machine"], &total["time_us_each"]), (&json!(null), &json!(null)));
    let greatest = total["greatest"]["name"].as_str().unwrap();
    assert_eq!(problem(&document["mates"], greatest)["equal"], true);
    let given_up = problem(&document["mates"], "immortal");
    assert_eq!((&given_up["machine"]["result"], &given_up["trees"]["count"]), (&json!("limit"), &json!(0)));
}

#[test]
fn the_set_is_measured_on_both_engines() {
    let mates = &MEASURED["mates"];
    insta::assert_snapshot!(keys(mates), @"problems native_us native_us_middle machine_us machine_us_middle instructions million_instructions_per_second host_cycles_per_instruction times_the_ordinary_loop times_faster_than_the_m220");
    // The work is that of `reproduce`, whatever its time.
    let total = &REPRODUCED.1["mates"]["total"];
    assert_eq!((&mates["problems"], &mates["instructions"]), (&total["problems"], &total["instructions"]));
}
