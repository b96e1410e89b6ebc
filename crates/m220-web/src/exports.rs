//! The border to JavaScript: a message is written to [`m220_input`], answered by [`m220_call`], and read at [`m220_output`].
#![expect(unsafe_code, reason = "exported names cannot be mangled; no other crate of the module exports these three")]

use crate::Home;
use std::cell::RefCell;

/// The module is a program of its own, and a worker has one thread: this is its `main`'s only variable.
struct Border {
    input: Vec<u8>,
    output: Vec<u8>,
    home: Home,
}

thread_local! {
    static BORDER: RefCell<Border> =
        RefCell::new(Border { input: Vec::new(), output: Vec::new(), home: Home::default() });
}

/// Makes room for a message of `length` bytes; returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn m220_input(length: usize) -> *mut u8 {
    BORDER.with_borrow_mut(|border| {
        border.input.clear();
        border.input.resize(length, 0);
        border.input.as_mut_ptr()
    })
}

/// Answers the message; returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn m220_call() -> usize {
    BORDER.with_borrow_mut(|border| {
        border.output = border.home.answer(&std::mem::take(&mut border.input));
        border.output.len()
    })
}

/// The address of the answer, until the next message.
#[unsafe(no_mangle)]
pub extern "C" fn m220_output() -> *const u8 {
    BORDER.with_borrow(|border| border.output.as_ptr())
}
