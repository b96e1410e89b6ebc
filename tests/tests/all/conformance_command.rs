//! `m220 conformance`: the suite over pipes, by the command itself and by the runner in Python.

use crate::command::{PROGRAM, command, ended, m220, m220_in};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The folder of the command under test: `./m220` there has no blanks, whatever the folder is called.
fn home() -> &'static Path {
    Path::new(PROGRAM).parent().unwrap()
}

#[test]
fn our_emulator_agrees_over_the_pipe() {
    let run = ["conformance", "run", "--machine", "itep", "--command", "./m220 conformance serve"];
    let ended = m220_in(home(), &run).code(0);
    let (agree, all) = ended.out.lines().last().and_then(|line| line.split_once(" of ")).unwrap();
    assert!(all.starts_with(agree) && agree.parse::<usize>().unwrap() > 2000, "{}", ended.out);
}

/// A line that cannot be read is told, not taken for the end.
#[test]
fn what_is_no_question_is_bad_input() {
    let mut server = command(&["conformance", "serve"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    server.stdin.take().unwrap().write_all(b"\xff\n").unwrap();
    let bad = ended(server.wait_with_output()).code(3);
    assert_eq!(bad.err, "m220: standard input: a line that is not UTF-8\n");
}

/// The table for programs has the sums of its rows.
#[test]
fn the_table_is_a_document_too() {
    let table = m220(&["conformance", "run", "--machine", "m20", "--format", "json"]).code(0).json();
    let sum =
        |what: &str| table["codes"].as_array().unwrap().iter().map(|row| row[what].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("cases"), sum("agree")), (table["cases"].as_u64().unwrap(), table["agree"].as_u64().unwrap()));
    assert_eq!((table["cases"] == table["agree"], &table["command"]), (true, &serde_json::Value::Null));
    assert!(sum("cases") > 2000);
}

#[test]
fn what_is_no_emulator_gets_no_agreement() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../m220-conformance/cases/00-copy.txt");
    let run =
        |command| m220(&["conformance", "run", cases, "--differences", "1", "--timeout", "1", "--command", command]);
    for program in ["cat", "false"] {
        let ended = run(program).code(1);
        assert!(ended.out.contains("\n0 of "), "{program}: {}", ended.out);
    }
    run(" ").code(2);
    let missing = run("./no-such-program").code(3);
    assert!(missing.err.starts_with("m220: ./no-such-program: cannot be started: ") && missing.out.is_empty());
    // One that hangs is not asked for long.
    let hanging = run("sleep 60").code(4);
    assert!(hanging.out.ends_with("\n0 of 3 cases agree\n"), "{}", hanging.out);
    let given_up = "m220: the emulator did not answer 3 cases in a row within 1 s: given up after 3 of ";
    assert!(hanging.err.starts_with(given_up), "{}", hanging.err);
}

#[test]
fn a_file_of_ones_own_is_run_and_its_error_has_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.txt");
    let text =
        "model: m20\ncase: copying\nwhy: by hand\ncell 0100: 0 00 0020 0000 0022\ncell 0020: 0 00 0000 0000 0007\n";
    let put = |last: &str| {
        fs::write(&file, format!("{text}{last}\n")).unwrap();
        m220(&["conformance", "run", &file.display().to_string()])
    };
    put("then result 0022: 0 00 0000 0000 0007").code(0);
    let wrong = put("then result 0022: 0 00 0000 0000 0006").code(1);
    assert!(wrong.out.contains("RR: expected 0 00 0000 0000 0006, found 0 00 0000 0000 0007"), "{}", wrong.out);
    let bad = put("then reslt 0022: 0 00 0000 0000 0006").code(3);
    assert!(bad.err.contains("mine.txt:6:"), "{}", bad.err);
    // An emulator that talks without end has no more time than one that says nothing.
    let file = file.display().to_string();
    let endless = ["conformance", "run", &file, "--timeout", "1", "--command", "yes stop late"];
    put("then result 0022: 0 00 0000 0000 0007").code(0);
    assert!(m220(&endless).code(1).out.contains("does not answer in time"));

    // The same in the form of the exported files, which the text form is written out to.
    let suite = folder.path().join("suite");
    m220(&["conformance", "export", &suite.display().to_string()]).code(0);
    let json = suite.join("m20/15.json");
    let run = || m220(&["conformance", "run", &json.display().to_string()]);
    assert!(run().code(0).out.contains("m20 15"));
    let cases = fs::read_to_string(&json).unwrap();
    fs::write(&json, cases.replacen("\"final\":{\"RVK\":\"0101\"", "\"final\":{\"RVX\":\"0101\"", 1)).unwrap();
    let bad = run().code(3);
    assert!(bad.err.contains("15.json: case 1, ") && bad.err.contains("final: `RVX` is not a register"), "{}", bad.err);
}

/// Every rule of the machine has a case, and a code is explained by its rules.
#[test]
fn rules_are_listed_with_their_cases_and_explain_a_code() {
    let listed = m220(&["conformance", "coverage"]).code(0).out;
    let row = listed.lines().find(|line| line.starts_with("47: after a multiplication")).unwrap();
    assert!(row.contains("47-low-product-and-p1:"), "{row}");
    assert!(m220(&["explain", "47"]).code(0).out.contains("    when multiplied "), "{listed}");
    assert_eq!(m220(&["explain", "сл"]).code(0).out, m220(&["explain", "01"]).code(0).out);
    // A code that is a stop on the M-20 and another instruction on the M-220 is both.
    let told = m220(&["explain", "57"]).code(0).out.split_whitespace().collect::<Vec<_>>().join(" ");
    let (cube, stop) = told.split_once("code 57, STOPC (СТОПВ): ").unwrap();
    assert!(cube.contains(". 24 us on the M-220. ") && !cube.contains("us on the M-20,"), "{cube}");
    assert!(stop.contains(". 24 us on the M-20. ") && stop.contains("on m20"), "{stop}");
    assert!(m220(&["explain", "stopb"]).code(0).out.starts_with("code 37, STOPB"));
    assert_eq!(m220(&["explain", "СТОПВ"]).code(0).out, m220(&["explain", "STOPC"]).code(0).out);
    assert!(m220(&["explain", "exit", "143"]).code(0).out.contains("signal"));
    assert!(m220(&["explain", "шахматы"]).code(3).err.contains("'шахматы'"));
}

/// Needs python3; `M220_BROWSER_TESTS` demands that it is there, as it does a browser.
#[test]
fn the_exported_runner_drives_our_emulator() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    m220(&["conformance", "export", &suite.display().to_string()]).code(0);
    let run = |file: &Path| {
        Command::new("python3")
            .arg(suite.join("run.py"))
            .arg(file)
            .args(["--", PROGRAM, "conformance", "serve"])
            .output()
    };
    let file = suite.join("m220/13.json");
    let output = match run(&file) {
        Err(_) if std::env::var_os("M220_BROWSER_TESTS").is_none() => return,
        output => output.unwrap(),
    };
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && told.trim_end().ends_with("cases, 0 differ"), "{told}");
    // A wrong expectation is noticed.
    let cases = fs::read_to_string(&file).unwrap();
    fs::write(&file, cases.replacen("\"final\":{\"RVK\":\"0101\"", "\"final\":{\"RVK\":\"0102\"", 1)).unwrap();
    let told = String::from_utf8(run(&file).unwrap().stdout).unwrap();
    assert!(told.contains("1 differ") && told.contains("RVK: expected 0102, found 0101"), "{told}");
    // Nothing to compare, or no cases at all, is not taken for agreement.
    for (text, message) in [
        ("[]", "no cases"),
        ("{}", "13.json: a file is a list of cases"),
        ("[{\"name\": \"n\"}]", "13.json: n: there is no 'machine'"),
    ] {
        fs::write(&file, text).unwrap();
        let ended = run(&file).unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(2) && told.contains(message), "{text}: {told}");
    }
}
