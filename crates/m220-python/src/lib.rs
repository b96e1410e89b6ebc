//! The native half of the Python module `m220`: it runs a command of `m220` and hands its document to Python, and it has
//! a [machine](machine::Machine) that Python steps itself.
//!
//! The documents, their words and their pictures come from the command. The Python half, in `python/m220`, makes
//! objects of them.

mod machine;

use m220_cli::exit::Failure;
use m220_limits::Interrupt;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::OsString;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

create_exception!(m220, Error, PyException, "What a command says when it ends without a result.");
create_exception!(m220, UsageError, Error, "Arguments that contradict each other or make no sense.");
create_exception!(m220, BadInputError, Error, "A position, a file or a program that is not what it should be.");
create_exception!(m220, NoVerdictError, Error, "A limit was reached, or the engine does not take this question.");
create_exception!(m220, OutputError, Error, "A file could not be written.");

/// The time between two checks for Ctrl-C while Python waits.
const PATIENCE: Duration = Duration::from_millis(50);

/// The stack of a command, in bytes: that of a process.
const STACK: usize = 8 << 20;

fn exception(failure: &Failure) -> PyErr {
    let words = failure.to_string();
    match failure {
        Failure::Usage(_) => UsageError::new_err(words),
        Failure::BadInput(_) | Failure::Diagnostics(_) => BadInputError::new_err(words),
        Failure::NoVerdict(_) => NoVerdictError::new_err(words),
        Failure::Output(_) | Failure::Stdout(_) => OutputError::new_err(words),
    }
}

/// Runs a command; returns its output and its exit code. The interpreter is free meanwhile, and Ctrl-C ends the
/// command.
#[pyfunction]
fn call(py: Python<'_>, words: Vec<String>) -> PyResult<(Py<PyBytes>, u8)> {
    let interrupt = Interrupt::default();
    let (tell, told) = channel();
    let raised = interrupt.clone();
    let work = move || {
        // If nobody is waiting any more, the answer is not needed.
        let _ = tell.send(m220_cli::call(&words, &raised));
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work)?;
    let told = Mutex::new(told);
    let mut signal = None;
    let result = loop {
        let waited = py.detach(|| told.lock().ok().map(|told| told.recv_timeout(PATIENCE)));
        match waited {
            Some(Ok(result)) => break result,
            Some(Err(RecvTimeoutError::Timeout)) => {
                if let Err(error) = py.check_signals() {
                    interrupt.raise();
                    signal.get_or_insert(error);
                }
            }
            Some(Err(RecvTimeoutError::Disconnected)) | None => {
                return Err(PyRuntimeError::new_err("the command ended without an answer"));
            }
        }
    };
    match (signal, result) {
        (Some(error), _) => Err(error),
        (None, Ok((exit, bytes))) => Ok((PyBytes::new(py, &bytes).unbind(), exit as u8)),
        (None, Err(failure)) => Err(exception(&failure)),
    }
}

/// Runs the command line as the program `m220` does, on the streams of the process; returns its exit code.
#[pyfunction]
fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| m220_cli::command(words))
}

#[pymodule]
fn _m220(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Without the commit: a version as Python orders them.
    module.add("__version__", m220_cli::VERSION.split(' ').next())?;
    module.add("Error", py.get_type::<Error>())?;
    module.add("UsageError", py.get_type::<UsageError>())?;
    module.add("BadInputError", py.get_type::<BadInputError>())?;
    module.add("NoVerdictError", py.get_type::<NoVerdictError>())?;
    module.add("OutputError", py.get_type::<OutputError>())?;
    module.add_class::<machine::Machine>()?;
    module.add_function(wrap_pyfunction!(machine::word_of, module)?)?;
    module.add_function(wrap_pyfunction!(machine::number_of, module)?)?;
    module.add_function(wrap_pyfunction!(call, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)
}
