//! `m220 reproduce` and `bench`: the page, the record, and how they end.

use crate::command::keys;
use crate::command::m220;
use crate::fixtures::{blind, folder, king_a4_h4, path, written};
use m220_tests::stand_in::StandIn;
use serde_json::json;

/// The page of the reproduction is self-contained, has a row for every task, and holds the record.
#[test]
fn a_reproduction_is_written_as_a_page() {
    let folder = folder();
    let page = folder.path().join("report.html");
    let command = ["reproduce", "--runs", "0", "--format", "json", "--report", path(&page)];
    let document = m220(&command).code(0).json();
    let page = std::fs::read_to_string(&page).unwrap();
    let (_, record) = page.split_once("id=\"record\">").unwrap();
    let record = record.split_once("</script>").unwrap().0;
    assert_eq!(serde_json::from_str::<serde_json::Value>(record).unwrap(), document);
    for section in document["sections"].as_array().unwrap() {
        for task in section["tasks"].as_array().unwrap() {
            let title = format!("<td>{}</td>", task["title"].as_str().unwrap());
            assert!(page.contains(&title), "{title}");
        }
    }
    for program in document["machine_programs"].as_array().unwrap() {
        assert!(page.contains(program["checksum"].as_str().unwrap()));
    }
    assert!(page.contains("Botvinnik, Algoritm igry v shakhmaty") && page.contains("class=\"verdict good\""));
    assert!(
        !page.contains("src=\"http") && !page.contains("href=\"http") && !page.contains("url(http"),
        "a network address"
    );
}

/// The page for a wrong program shows what is wrong.
#[test]
fn the_page_of_a_wrong_program_says_so() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let page = folder.path().join("report.html");
    m220(&["reproduce", "--runs", "0", "--report", path(&page), "--program", path(&program)]).code(1);
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("class=\"verdict bad\"") && !page.contains("class=\"verdict good\""));
    assert!(page.contains("<p class=\"bad\">Fig. 22, horizon 3"), "{page}");
}

#[test]
fn reproduction_by_a_wrong_program_ends_with_one() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(1).json();
    insta::assert_snapshot!(keys(&document), @"schema program machine_programs checksum_method timing_models equal within_book_times within_budgets sections mates play synchronous_chess relations");
    assert_eq!(document["equal"], false);
    let machine_program = &document["machine_programs"][0];
    assert_eq!(machine_program["checksum"].as_str().unwrap().len(), 15);
    let tasks = document["sections"][0]["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 14 + 60);
    let fig_22 = tasks.iter().find(|task| task["name"] == "fig-22-horizon-3").unwrap();
    assert_eq!((&fig_22["count"], &fig_22["equal"]), (&json!({"native": 28, "machine": 0}), &json!(false)));
    assert_eq!(
        (&fig_22["book"]["time_us"], &fig_22["book"]["source"]),
        (&json!(5e6), &json!("Botvinnik 1968, last page"))
    );
    let first_moves = &document["sections"][0]["notes"][0];
    assert_eq!(first_moves["items"], json!(["Qe5-e2xc4", "Qe5-e4xg6"]));
    assert!(first_moves["text"].as_str().unwrap().contains("14 first moves"));
}

/// The record alone is enough to repeat every question.
#[test]
fn the_record_holds_the_questions() {
    let folder = folder();
    let program = written(&folder, "full.m220", &StandIn::with_result("four").source());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(4).json();
    let tasks = document["sections"][0]["tasks"].as_array().unwrap();
    let question = |name: &str| &tasks.iter().find(|task| task["name"] == name).unwrap()["question"];
    let king = |what: &str| json!({"what": what, "piece": "king", "colour": "white", "from": "a4", "to": "h4", "max_moves": 7});
    assert_eq!(question("king-a4-h4-bundle"), &king("bundle"));
    assert_eq!(question("king-a4-h4-list"), &king("list"));
    assert_eq!(question("fig-22-horizon-2"), &json!({"what": "attacks", "turn": "white", "horizon": 2}));
    // The turn is the position's, the horizon of the sixty is the book's.
    let sixty = tasks.iter().filter(|task| task["name"].as_str().unwrap().starts_with("position-"));
    let mut black = 0;
    for task in sixty {
        let turn = if task["fen"].as_str().unwrap().contains(" b ") { "black" } else { "white" };
        black += usize::from(turn == "black");
        assert_eq!(task["question"], json!({"what": "attacks", "turn": turn, "horizon": 3}));
    }
    assert!(black > 0);
    let models = document["timing_models"].as_array().unwrap();
    let names: Vec<&str> = models.iter().map(|model| model["name"].as_str().unwrap()).collect();
    assert_eq!(names.join(" "), keys(&tasks[0]["machine"]["time_us"]));
    assert!(models[1]["source"].as_str().unwrap().contains("Lyashenko 1974"));
    assert!(document["checksum_method"].as_str().unwrap().contains("instruction 07"));
}

#[test]
fn reproduction_without_answers_ends_with_four() {
    let folder = folder();
    let program = written(&folder, "full.m220", &StandIn::with_result("four").source());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(4).json();
    // Without an answer no time counts as within the book's.
    assert_eq!((&document["equal"], &document["within_book_times"]), (&json!(false), &json!(false)));
    let task = &document["sections"][0]["tasks"][0];
    assert_eq!(
        task["book"],
        json!({"time_us": 1e5, "source": "Botvinnik 1968, last page", "ratio": null, "within": null})
    );
}

/// Right answers, but too late: 0.1 s is 4,167 instructions of 24 us; here are two loops of 3,585.
#[test]
fn a_missed_book_time_ends_with_one() {
    let folder = folder();
    let code = "\
SETR 0, 0
wait: JL 7000, wait, 1[RA]
SETR 0, 0
more: JL 7000, more, 1[RA]
MOV one, 0, result
STOP
";
    let slow = StandIn { code: code.to_owned(), ..king_a4_h4() };
    let program = written(&folder, "slow.m220", &slow.source());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(1).json();
    let list = &document["sections"][0]["tasks"][1];
    assert_eq!((&list["name"], &list["equal"]), (&json!("king-a4-h4-list"), &json!(true)));
    assert_eq!((&list["machine"]["instructions"], &list["book"]["within"]), (&json!(7174), &json!(false)));
    assert_eq!(document["within_book_times"], false);
}

#[test]
fn the_host_is_measured() {
    let document = &*crate::mate_reproduction::MEASURED;
    insta::assert_snapshot!(keys(document), @"schema version debug_build runs cycle_ns emulator self_modifying profiled traced native attacks endings mates deck");
    // The loop's instruction count must not change, or versions could not be compared.
    assert_eq!(document["emulator"]["instructions"], 67_117_057);
    assert_eq!(document["native"].as_array().unwrap().len(), 5);
    // A program that does not halt says what it stopped by.
    let stop = document["deck"]["stop"].as_str().unwrap();
    assert!(stop.starts_with("multiplication-overflow at 0100"), "{stop}");
    assert_eq!(document["emulator"]["stop"], json!(null));
    // The three tables, as on the endings' page.
    assert_eq!(document["endings"]["instructions"], 2_469_106 + 2_744_514 + 2_367_964);
}
