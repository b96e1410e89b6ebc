//! Answers as the page gets them: the documents of the command line, errors in sentences, and no task without an answer.

use m220_limits::{Interrupt, Limits};
use m220_panel::protocol::TaskRequest;
use m220_tasks::{answer, prepare};
use serde_json::{Value, json};

/// An answer that is only a document.
fn document(service: &str, question: Value) -> Value {
    ask(service, question).unwrap()["document"].take()
}

fn ask(service: &str, question: Value) -> Result<Value, String> {
    answer(service, &question, &Limits::default())
}

/// Every task that a page offers works with its example: on the machine, or as an answer, or both.
#[test]
fn every_task_can_be_asked() {
    let tasks = document("tasks", Value::Null);
    for task in tasks.as_array().unwrap() {
        let mut question = json!({ "fen": task["example"] });
        for field in task["fields"].as_array().unwrap() {
            let (name, value) = (field["name"].as_str().unwrap(), field["value"].as_str().unwrap());
            match field["kind"].as_str().unwrap() {
                "fen" => {}
                "number" => question[name] = value.parse::<u32>().unwrap().into(),
                _ => question[name] = value.into(),
            }
        }
        let name = task["name"].as_str().unwrap();
        if task["on_machine"] == true {
            let request = TaskRequest { task: name.to_owned(), question: question.clone() };
            assert!(prepare(&request).is_ok(), "{name}");
        }
        if task["answered"] == true && name != "best" {
            let found = ask(name, question).unwrap();
            // The analysis is answered natively first.
            let compared = task["on_machine"] == true && name != "analyse";
            match compared {
                true => assert_eq!(found["equal"], "equal: machine and native reference give the same", "{name}"),
                false => assert_eq!(found["equal"], Value::Null, "{name}"),
            }
            assert!(!found["shown"]["lists"][0]["items"].as_array().unwrap().is_empty(), "{name}");
        }
    }
}

/// The king's 393, the attacks of Fig. 22, the keys of a problem.
#[test]
fn known_answers() {
    let free = "8/8/8/8/8/8/8/8 w - - 0 1";
    let king = ask("trajectories", json!({ "fen": free, "from": "a4", "to": "h4", "piece": "king" })).unwrap();
    assert_eq!((&king["document"]["count"], &king["document"]["moves"]), (&json!(393), &json!(7)));
    assert_eq!(king["document"]["machine"]["result"], "ok");
    let attacks = ask("attacks", json!({ "fen": "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30" })).unwrap();
    assert_eq!(attacks["document"]["trajectory_count"], 28);
    assert_eq!(attacks["document"]["attacks"].as_array().unwrap().len(), 15);
    let mate = ask("mate", json!({ "fen": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1" })).unwrap();
    assert_eq!(mate["document"]["keys"], json!(["a1a6"]));
}

/// Tasks that take the machine long are answered natively, and name the service that asks the machine the same.
#[test]
fn analysis_and_choice_follow_on_the_machine() {
    let fen = "8/8/8/4k3/8/8/3R4/3K4 w - - 0 1";
    for (task, question) in [("analyse", json!({ "fen": fen, "horizon": 2 })), ("best", json!({ "fen": fen }))] {
        let next = ask(task, question.clone()).unwrap()["next"].take();
        let found = ask(next.as_str().unwrap(), question).unwrap();
        assert_eq!(found["equal"], "equal: machine and native reference give the same", "{task}");
        assert_eq!(found["document"]["engines"]["machine"]["result"], "ok", "{task}");
        assert_eq!(found["document"]["chosen"].is_string(), task == "best");
    }
    assert_eq!(ask("analyse", json!({ "fen": fen, "horizon": 5 })).unwrap()["next"], Value::Null);
}

/// An invalid question is refused in a sentence, on the machine and beside it.
#[test]
fn refusals_are_sentences() {
    let startpos = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (service, question, expected) in [
        ("fly", json!({}), "there is no service `fly`"),
        ("trajectories", json!({}), "the question: missing field `fen`"),
        ("trajectories", json!({ "fen": "8", "from": "a1", "to": "a2" }), "the position: "),
        ("trajectories", json!({ "fen": startpos, "from": "z9", "to": "a2" }), "the start: `z9` is not a square"),
        ("attacks", json!({ "fen": startpos, "horizon": 10 }), "10 half-moves: expected 1 to 9"),
        ("mate", json!({ "fen": startpos, "moves": 0 }), "0 moves: expected 1 to 8"),
        ("mate", json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }), "the position: "),
        ("legal", json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }), "not a legal position: "),
        ("best", json!({ "fen": "x" }), "the position: "),
    ] {
        let refused = ask(service, question.clone()).unwrap_err();
        assert!(refused.starts_with(expected), "{service} {question}: {refused}");
    }
}

/// Legal moves with the positions after them; none at the end of a game.
#[test]
fn legal_moves() {
    let moves = document("legal", json!({ "fen": "7k/P7/8/8/8/8/8/K7 w - - 0 1" }));
    assert_eq!((moves["moves"].as_array().unwrap().len(), &moves["end"]), (7, &Value::Null));
    let queen = moves["moves"].as_array().unwrap().iter().find(|one| one["uci"] == "a7a8q").unwrap();
    assert_eq!((&queen["san"], &queen["fen"]), (&json!("a8=Q+"), &json!("Q6k/8/8/8/8/8/8/K7 b - - 0 1")));
    let over = document("legal", json!({ "fen": "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1" }));
    assert_eq!((&over["moves"], &over["end"]), (&json!([]), &json!("checkmate")));
}

/// The assembler's errors have positions; a source that includes the visitor's others and built-in ones is a program.
#[test]
fn sources_are_assembled() {
    let wrong =
        json!({ "root": "a.m220", "files": [{ "name": "a.m220", "text": "origin 0100\nstart a\na: FLY 1\n" }] });
    let said = document("assemble", wrong.clone());
    assert_eq!((&said["errors"][0]["file"], &said["errors"][0]["line"]), (&json!("a.m220"), &json!(3)));
    let refused = prepare(&TaskRequest { task: "source".to_owned(), question: wrong }).unwrap_err();
    assert!(refused.starts_with("a.m220:3:"), "{refused}");
    let right = json!({ "root": "a.m220", "files": [
        { "name": "a.m220", "text": "include \"b.m220\"\n" },
        { "name": "b.m220", "text": "origin 0100\nstart a\na: STOP\n" },
    ] });
    let said = document("assemble", right.clone());
    assert_eq!((&said["errors"], &said["words"], &said["start"]), (&json!([]), &json!(1), &json!("0100")));
    assert!(prepare(&TaskRequest { task: "source".to_owned(), question: right }).is_ok());
    for source in document("sources", Value::Null).as_array().unwrap() {
        let including = format!("include {}\n", source["name"]);
        let files = json!([{ "name": "own.m220", "text": including }]);
        let said = document("assemble", json!({ "root": "own.m220", "files": files }));
        let errors = said["errors"].as_array().unwrap();
        let missing = errors.iter().any(|error| error["message"].as_str().unwrap().starts_with("cannot read"));
        assert!(!missing, "{said}");
    }
}

/// Answers name moves as players do, and the drawings lie on the board: Ra6 of the problem, e4d5 and d5e4 at once.
#[test]
fn answers_can_be_drawn() {
    let mate = ask("mate", json!({ "fen": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1" })).unwrap();
    assert_eq!(mate["shown"]["lists"][0]["items"], json!([{ "text": "Ra6", "ways": [[0, 5]] }]));
    let both = json!({ "fen": "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "white": "e4d5", "black": "d5e4" });
    let doublet = ask("doublets", both).unwrap();
    assert_eq!(doublet["document"]["after"], "4k3/8/8/3P4/4p3/8/8/4K3 w - -");
    assert_eq!(doublet["shown"]["lists"][0]["items"].as_array().unwrap().len(), 2);
    let refused = ask("doublets", json!({ "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "white": "e1e5", "black": "e8e7" }));
    assert!(refused.unwrap_err().starts_with("white: "));
}

/// Bell's program answers 1.e4 on the machine; a wrong listing is refused; the end of a game is an answer.
#[test]
fn programs_play() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let bell = document("reply", json!({ "player": "bell", "fen": start, "moves": ["e2e4"] }));
    assert_eq!(bell["san"], "e6");
    assert!(bell["half_microseconds"].as_u64() > Some(1_000_000));
    let listing = json!({ "player": "itep", "fen": start, "deck": "no listing" });
    assert!(ask("reply", listing).unwrap_err().contains("octal"));
    let illegal = json!({ "player": "map", "fen": start, "moves": ["e2e5"] });
    assert!(ask("reply", illegal).unwrap_err().contains("e2e5"));
    let over = document("reply", json!({ "player": "map", "fen": start, "moves": ["f3", "e5", "g4", "Qh4#"] }));
    assert_eq!((&over["uci"], &over["end"]), (&Value::Null, &json!("White is mated")));
}

/// An interrupted choice says so.
#[test]
fn the_choice_can_be_stopped() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    let limits = Limits::default().with_interrupt(&interrupt);
    let opera = json!({ "fen": "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16" });
    let stopped = answer("best", &opera, &limits).unwrap();
    assert_eq!(stopped["document"]["interrupted"], true);
}
