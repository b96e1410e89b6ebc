//! A machine set up once and run many times from the same starting state.

use crate::machine::Machine;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// A starting state, usually a machine with a program in core, from which identical machines are made.
///
/// Machines are pooled. When one is dropped, the next one reuses it: only the cells that it changed
/// are restored, and decoded instructions stay decoded. Threads may share the pool; it holds as many
/// machines as were ever in use at once.
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
    #[expect(clippy::vec_box, reason = "a machine is moved in and out for every run")]
    idle: Mutex<Vec<Box<Machine>>>,
}

/// A machine in use; see [`Prepared::machine`].
pub struct PreparedMachine {
    /// `None` only while it is being dropped.
    machine: Option<Box<Machine>>,
    shared: Arc<Shared>,
}

impl Shared {
    /// A copy of the starting state. Never inline, so that [`PreparedMachine::deref_mut`] stays small.
    #[cold]
    #[inline(never)]
    fn new_machine(&self) -> Box<Machine> {
        Box::new(self.beginning.clone())
    }
}

impl Prepared {
    /// Makes a machine's present state the starting state.
    #[must_use]
    pub fn new(mut machine: Machine) -> Prepared {
        machine.hold();
        Prepared(Arc::new(Shared { beginning: machine, idle: Mutex::default() }))
    }

    /// The starting state, for inspection.
    #[must_use]
    pub fn beginning(&self) -> &Machine {
        &self.0.beginning
    }

    /// A machine in the starting state.
    #[must_use]
    pub fn machine(&self) -> PreparedMachine {
        // A thread that panicked with the lock held cannot have left the list half changed.
        let idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let machine = match idle {
            Some(mut machine) => {
                machine.put_back(&self.0.beginning);
                machine
            }
            None => self.0.new_machine(),
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
        self.machine.as_deref().unwrap_or(&self.shared.beginning)
    }
}

impl DerefMut for PreparedMachine {
    fn deref_mut(&mut self) -> &mut Machine {
        let PreparedMachine { machine, shared } = self;
        machine.get_or_insert_with(|| shared.new_machine())
    }
}

impl Drop for PreparedMachine {
    fn drop(&mut self) {
        if let Some(machine) = self.machine.take() {
            self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner).push(machine);
        }
    }
}
