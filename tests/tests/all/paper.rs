//! Paper for a printer or punch of the emulated machine.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Paper that the test can read after handing it to a device.
#[derive(Clone, Default)]
pub struct TestPaper(Rc<RefCell<Vec<u8>>>);

impl TestPaper {
    /// What has been printed.
    pub fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl Write for TestPaper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
