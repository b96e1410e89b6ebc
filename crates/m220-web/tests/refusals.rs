//! What is refused is said in the language of the page. The messages stand in `refused.txt`.

use m220_web::Home;
use serde_json::{Value, json};

/// A source text with errors and warnings of the assembler.
const WRONG: &str = "a: nonsense 1\n ADD x, y\n origin 0100\n ADD b\nb: STOP\nb: STOP\n number 1.x\n include \"nothing.m220\"\n \
                     octal 9\n STOP 1, 2, 3, 4\n JMP 0, 5000\n repeat 0\n";

fn ask(home: &mut Home, message: &Value, bytes: &str) -> Value {
    serde_json::from_slice(&home.answer(format!("{message}\n{bytes}").as_bytes())).unwrap()
}

/// The answer to a line of `refused.txt`.
fn answer(home: &mut Home, line: &str, lang: &str) -> Value {
    if line.starts_with('{') {
        let request: Value = serde_json::from_str(line).unwrap();
        return ask(home, &json!({ "call": "request", "request": request, "lang": lang }), "");
    }
    if let Some((service, question)) = line.split_once(" | ") {
        let question: Value = serde_json::from_str(question).unwrap();
        let asked = json!({ "lang": lang, "question": question });
        return ask(home, &json!({ "call": "answer", "service": service, "question": asked }), "");
    }
    let (kind, content) = line.split_once(": ").unwrap();
    let upload = json!({ "call": "upload", "kind": kind, "name": "file.txt", "number": 0, "lang": lang });
    ask(home, &upload, content)
}

/// Whether a text speaks of a command line, which a page has not.
fn is_typed(text: &str) -> bool {
    let option = |(at, _)| text[at + 2..].starts_with(|sign: char| sign.is_ascii_lowercase());
    text.match_indices("--").any(option) || text.contains("m220 ")
}

/// The English words of a sentence; what it quotes, names of files and abbreviations are the same in Russian.
fn english(sentence: &str) -> Vec<String> {
    let quoted = |text: &str, begin: char, end: char| {
        let parts = text.split(begin).enumerate();
        let kept = parts.map(|(number, part)| match number {
            0 => part,
            _ => part.split_once(end).map_or("", |(_, rest)| rest),
        });
        kept.collect::<Vec<_>>().join(" ")
    };
    let bare = quoted(&sentence.replace('`', "'"), '«', '»');
    let bare: String = bare.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    let words = bare.split_whitespace().filter(|word| !word.contains(['.', '/']));
    let letters = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned();
    let is_english = |word: &String| {
        word.len() > 2
            && word.chars().all(|sign| sign.is_ascii_lowercase())
            && !["help", "pnbrqk"].contains(&word.as_str())
    };
    words.map(letters).filter(is_english).collect()
}

#[test]
fn refusals_speak_the_language_of_the_page() {
    let lines = include_str!("refused.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut home, mut wrong, mut count) = (Home::default(), Vec::new(), 0);
    for line in lines {
        let [english_text, russian] = ["en", "ru"].map(|lang| answer(&mut home, line, lang)["error"].clone());
        let (Some(english_text), Some(russian)) = (english_text.as_str(), russian.as_str()) else {
            panic!("{line}: not refused");
        };
        let typed = [english_text, russian].into_iter().any(is_typed);
        if english_text == russian || !english(russian).is_empty() || typed {
            wrong.push(format!("{line}\n  {english_text}\n  {russian}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 40, "{count}");
}

/// What is said of the answers to all forms.
#[test]
fn answers_do_not_speak_of_a_command_line() {
    let ask = |service: &str, question: Value| {
        let message = json!({ "call": "answer", "service": service, "question": question });
        ask(&mut Home::default(), &message, "")
    };
    for (lang, engine) in [("en", "native"), ("ru", "m220")] {
        let tasks = ask("tasks", json!({ "lang": lang }));
        for task in tasks["document"].as_array().unwrap() {
            let usual = |field: &Value| (field["name"].as_str().unwrap().to_owned(), field["value"].clone());
            let mut question: serde_json::Map<String, Value> =
                task["fields"].as_array().unwrap().iter().map(usual).collect();
            for value in question.values_mut() {
                *value = value.as_str().unwrap().parse().map_or(value.clone(), |number: u32| number.into());
            }
            question.insert("fen".to_owned(), task["example"].clone());
            let asked = json!({ "lang": lang, "engines": { "engine": engine }, "question": question });
            let reply = ask(task["name"].as_str().unwrap(), asked);
            assert!(reply["error"].is_null(), "{reply}");
            for said in [&reply["said"], &reply["shown"], &reply["trouble"], &reply["engines"], &reply["notes"]] {
                assert!(!is_typed(&said.to_string()), "{} by {engine}: {said}", task["name"]);
            }
        }
    }
}

#[test]
fn what_is_put_right_in_a_position_is_told() {
    let question = json!({ "fen": "6k1/5ppp/8/8/8/8/8/R5K1 w KQ e6 0 1", "moves": 1 });
    let question = json!({ "lang": "ru", "engines": { "engine": "native" }, "question": question });
    let message = json!({ "call": "answer", "service": "mate", "question": question });
    let reply = ask(&mut Home::default(), &message, "");
    let notes = reply["notes"].to_string();
    assert!(notes.contains("e6") && notes.contains("рокиров"), "{reply}");
}

#[test]
fn the_assembler_speaks_the_language_of_the_page() {
    let files = json!({ "root": "a.m220", "files": [{ "name": "a.m220", "text": WRONG }] });
    let question = json!({ "lang": "ru", "question": files });
    let message = json!({ "call": "answer", "service": "assemble", "question": question });
    let document = ask(&mut Home::default(), &message, "")["document"].clone();
    let remarks = ["errors", "warnings"].into_iter().flat_map(|list| document[list].as_array().unwrap());
    let said: Vec<&str> =
        remarks.flat_map(|remark| [&remark["message"], &remark["help"]]).filter_map(Value::as_str).collect();
    assert!(said.len() > 12, "{said:?}");
    let left: Vec<&&str> = said.iter().filter(|sentence| !english(sentence).is_empty()).collect();
    assert!(left.is_empty(), "{left:?}");
}
