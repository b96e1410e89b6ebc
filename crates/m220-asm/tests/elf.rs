//! The ELF image: what other tools make of it, and what the loader refuses.

use m220_asm::{Image, assemble_text, elf};
use m220_isa::{CoreAddress, Model};
use std::process::Command;

const SUM: &str = "\
; sum of the squares of 1 .. 10d
        model   m220
        origin  0100
        start   begin
        export  sum
count = 10d

begin:  SETR    0, 0                    ; RA := 0
        MOV     zero, 0, sum
.next:  MUL     squares[RA], squares[RA], work
        ADD     sum, work, sum
        JL      count-1, .next, 1[RA]   ; if RA < 11: again, RA := RA + 1
        STOP

zero:   number  0
sum:    reserve 1
work:   reserve 1
squares: number 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        origin  20300
        octal   7 77 7777 7777 7777, 0 00 0000 0000 0001
";

fn image() -> Image {
    assemble_text("sum.m220", SUM, Model::M220).unwrap_or_else(|e| panic!("{}", e.render(false))).image
}

#[test]
fn an_image_comes_back_whole() {
    let image = image();
    assert_eq!(elf::load(&elf::write(&image), 4).unwrap(), image);
    assert_eq!(image.cell("begin").unwrap().to_string(), "0100");
    assert_eq!(image.cell("begin.next").unwrap().to_string(), "0102");
    assert_eq!(image.constant("count").unwrap(), 10);
    assert_eq!(image.words[&"0104".parse::<CoreAddress>().unwrap()].grouped(), "1 12 0011 0102 0001");
}

#[test]
fn readelf_and_objdump_open_it_without_a_word_of_complaint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sum.elf");
    std::fs::write(&path, elf::write(&image())).unwrap();
    for (program, option) in [("readelf", "-a"), ("objdump", "-s")] {
        let Ok(output) = Command::new(program).arg(option).arg(&path).output() else {
            eprintln!("{program} is not installed: not tried");
            continue;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        let complaint = text.lines().find(|line| line.contains("Warning") || line.contains("Error"));
        assert_eq!(complaint, None, "{program}");
        println!("{text}");
    }
}
