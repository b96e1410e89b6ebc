//! A machine made ready once and run many times from the same beginning.

use crate::machine::Machine;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// A machine with a program in core, from which others are made that begin exactly as it stands.
///
/// A machine that is no longer needed is kept, and the next one made of it: only the cells that it
/// has changed are put back, and instructions once decoded stay decoded. Threads may share it; there
/// are as many machines as are in use at the same time.
///
/// ```
/// use m220_machine::{Config, Machine, Model, Prepared};
/// let mut machine = Machine::new(Config::new(Model::M220));
/// machine.set_core("0001".parse()?, "0 13 0020 0021 0020".parse()?)?;
/// machine.set_core("0002".parse()?, "0 77 0000 0000 0000".parse()?)?;
/// machine.set_core("0021".parse()?, "000000000000005".parse()?)?;
/// let prepared = Prepared::new(machine);
/// for _ in 0..3 {
///     let mut machine = prepared.machine();
///     machine.start("0001".parse::<m220_isa::CoreAddress>()?);
///     machine.run(10);
///     assert_eq!(machine.core("0020".parse()?)?.bits(), 5);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Prepared(Arc<Shared>);

struct Shared {
    beginning: Machine,
    idle: Mutex<Vec<Machine>>,
}

/// A machine in use; see [`Prepared::machine`].
pub struct PreparedMachine {
    /// None only while it is being dropped.
    machine: Option<Machine>,
    shared: Arc<Shared>,
}

impl Prepared {
    /// Takes the state of a machine as the beginning.
    #[must_use]
    pub fn new(mut machine: Machine) -> Prepared {
        machine.hold();
        Prepared(Arc::new(Shared { beginning: machine, idle: Mutex::default() }))
    }

    /// The beginning, to look at.
    #[must_use]
    pub fn beginning(&self) -> &Machine {
        &self.0.beginning
    }

    /// A machine that stands at the beginning.
    #[must_use]
    pub fn machine(&self) -> PreparedMachine {
        // Nothing can be half done in the list, even if a thread panicked while it had the lock.
        let idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let machine = match idle {
            Some(mut machine) => {
                machine.put_back(&self.0.beginning);
                machine
            }
            None => self.0.beginning.clone(),
        };
        PreparedMachine { machine: Some(machine), shared: Arc::clone(&self.0) }
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("config", &self.0.beginning.config()).finish_non_exhaustive()
    }
}

impl Deref for PreparedMachine {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        self.machine.as_ref().unwrap_or(&self.shared.beginning)
    }
}

impl DerefMut for PreparedMachine {
    fn deref_mut(&mut self) -> &mut Machine {
        let PreparedMachine { machine, shared } = self;
        machine.get_or_insert_with(|| shared.beginning.clone())
    }
}

impl Drop for PreparedMachine {
    fn drop(&mut self) {
        if let Some(machine) = self.machine.take() {
            self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner).push(machine);
        }
    }
}
