//! `m220 console`.

use crate::commands::debug::open_programs;
use crate::files::devices::{Access, DeviceFiles, DevicePaper, LARGEST_DEVICE_FILE, PaperOptions};
use crate::files::load::{CellName, Setup};
use crate::prelude::*;
use m220_console::server::Console;
use m220_panel::emulator::Emulator;
use m220_panel::protocol::{Program, UploadKind};
use std::io::ErrorKind;
use std::sync::Arc;

/// Operate the machine in a browser
///
/// Starts a server for this computer only and opens the console in a browser: lamps, listing, core, printer, and the
/// project's chess programs on a board. Without a FILE the king's trajectories a4-h4 are loaded. The device files are
/// read at the start (a missing drum or tape is blank); what the machine writes is never written to them.
#[derive(clap::Args)]
#[command(mut_arg("drum", |arg| arg.help("Attach drum N with the content of this file, blank if there is none; nothing is written to the file. N is 0 on the M-220, 0 to 3 on an M-20")))]
#[command(mut_arg("tape", |arg| arg.help("Attach tape N, 0 to 3, with the content of this file, blank if there is none; nothing is written to the file")))]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    // They say how a program is loaded.
    "model" | "cubes" | "memory_mode" | "allow_overlap" | "overlay" | "start" | "set" => arg.requires("files"),
    _ => arg,
}))]
#[command(after_help = "\
Examples:
  m220 console
  m220 console program.m220 --port 8220 --no-open")]
pub struct Args {
    /// ELF images, octal decks (.m20), or sources (.m220), which are assembled first; the last start cell wins
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    setup: Setup,
    /// Listen on this port of 127.0.0.1 [default: any free one]
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Only print the address; do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let prepared = prepared(args, session)?;
    // Rejects devices that the machine does not have and files that are not theirs, as `run` does.
    let (devices, paper) = (&args.setup.devices, DevicePaper::kept(session));
    DeviceFiles::fit(devices, &PaperOptions::default(), prepared.config.model, &paper, Access::Copy, session)?;
    let first = setting_up(args, prepared.config.model, session)?;
    // The runtime assumes that it gets its threads.
    let thread = std::thread::Builder::new().spawn(|| ());
    thread.map_err(|error| Failure::NoVerdict(format!("no thread to serve the page: {error}")))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Failure::Output(format!("the server: {error}")))?;
    let _listening = session.listen();
    runtime.block_on(async {
        let console = Console::open(
            args.port,
            crate::options::replay::MAKER,
            prepared,
            first,
            Box::new(m220_answers::page::prepare),
            m220_answers::page::say,
            Arc::new(m220_answers::page::answer),
        );
        let console = console.await.map_err(|error| match error.kind() {
            // From the machine's thread: a program or a file of a device.
            ErrorKind::Other => Failure::wrong(error),
            _ => Failure::Output(format!("127.0.0.1:{}: {error}", args.port)),
        })?;
        let address = console.address();
        writeln!(out, "{address}")?;
        out.flush()?;
        if !args.no_open && open::that_detached(&address).is_err() {
            // The address has been printed: it can be opened by hand.
            session.warn("no browser could be opened; open the address by hand");
        }
        session.warn("Ctrl-C ends the console");
        let waiting = session.clone();
        let end = async move {
            while !waiting.must_end() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        console.serve(end).await;
        Ok::<(), Failure>(())
    })?;
    Ok(Exit::Done)
}

/// The program that the machine starts with.
fn prepared(args: &Args, session: &Session) -> Result<Program, Failure> {
    if args.files.is_empty() {
        return m220_answers::page::prepare(&m220_answers::page::first(), "").map_err(Failure::BadInput);
    }
    let (programs, start) = open_programs(&args.files, &args.setup, session)?;
    let names: Vec<String> = args
        .files
        .iter()
        .map(|path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()))
        .collect();
    let cell = |(cell, word): &(CellName, _)| Ok((programs.cell("--set", cell)?, *word));
    Ok(Program {
        title: names.join(", "),
        config: programs.config,
        image: programs.merged(start),
        start,
        cells: args.setup.set.iter().map(cell).collect::<Result<_, Failure>>()?,
        tapes: Vec::new(),
        notes: Notes::default(),
    })
}

/// Keys and devices, as the options set them.
fn setting_up(
    args: &Args,
    model: Model,
    session: &Session,
) -> Result<impl FnOnce(&mut Emulator) -> Result<(), Sentence> + Send + 'static, Failure> {
    let keys = args.setup.key.clone();
    let mut files = Vec::new();
    let devices = &args.setup.devices;
    let drums = devices.drum.iter().map(|file| (UploadKind::Drum, file));
    let tapes = devices.tape.iter().map(|file| (UploadKind::Tape, file));
    for (kind, file) in drums.chain(tapes) {
        // A missing drum or tape is blank.
        if file.path.exists() {
            let bytes = session.read_file(&file.path, LARGEST_DEVICE_FILE)?;
            let parts = file.parts(&bytes, model).map(|(number, part)| (number, part.to_vec()));
            files.extend(parts.map(|(number, part)| (kind, number, file.path.display().to_string(), part)));
        }
    }
    if let Some(first) = devices.cards.first() {
        let decks = devices.cards.iter().map(|path| session.read_file(path, LARGEST_DEVICE_FILE));
        let stack = decks.collect::<Result<Vec<_>, _>>()?.join(&b'\n');
        files.push((UploadKind::Cards, 0, first.display().to_string(), stack));
    }
    Ok(move |emulator: &mut Emulator| {
        for (kind, number, name, bytes) in files {
            emulator.upload(kind, &name, number, &bytes)?;
        }
        for (key, word) in keys {
            emulator.set_key(key, word)?;
        }
        Ok(())
    })
}
