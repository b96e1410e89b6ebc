fn main() {
    let text = std::fs::read_to_string("m220-programs/mate.m220").unwrap();
    match m220_asm::assemble_text("mate.m220", &text, m220_isa::Model::M220) {
        Ok(p) => {
            println!("{}", p.warnings);
            for r in p.image.runs() {
                println!("{} {}", r.start, r.words.len());
            }
            println!("{:?}", p.image.reserved);
        }
        Err(e) => println!("{e}"),
    }
}
