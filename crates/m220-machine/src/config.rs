//! Which machine to emulate: model, size of core, memory mode.

pub use m220_isa::Model;

/// What cells 7770-7777 of cube 0 are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum MemoryMode {
    /// Core like every other cell.
    #[default]
    I,
    /// They read as 0, the four key registers, RR, 0, 0; stores are lost (known from simulation). On the ITEP machine
    /// cell 7776 is RA, and a word stored in 7777 is executed.
    II,
}

/// The machine to build.
///
/// ```
/// use m220_machine::{Config, MemoryMode, Model};
/// let config = Config { cubes: 2, ..Config::new(Model::M220) };
/// assert!(config.check().is_ok());
/// assert_eq!(Config::new(Model::Itep).memory_mode, MemoryMode::II);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Config {
    /// The model.
    pub model: Model,
    /// Cubes of core fitted, each of 4,096 words: 1 to 4, and 1 on the M-20s.
    pub cubes: u8,
    /// The memory mode. The ITEP machine always has mode II.
    pub memory_mode: MemoryMode,
}

/// Why no machine has a given configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Fewer than one or more than four cubes.
    #[error("{0} cubes of core: a machine has 1 to 4")]
    Cubes(u8),
    /// An M-20 with more than one cube.
    #[error("{0} cubes of core: the {name} has one", name = .1.name())]
    OneCube(u8, Model),
    /// The ITEP machine without memory mode II.
    #[error("the ITEP machine always has memory mode 2")]
    ItepNeedsModeII,
}

impl Config {
    /// The usual machine of a model: four cubes for the M-220, one for the M-20s; memory mode I,
    /// and II for the ITEP machine.
    #[must_use]
    pub const fn new(model: Model) -> Config {
        match model {
            Model::M220 => Config { model, cubes: 4, memory_mode: MemoryMode::I },
            Model::M20 => Config { model, cubes: 1, memory_mode: MemoryMode::I },
            Model::Itep => Config { model, cubes: 1, memory_mode: MemoryMode::II },
        }
    }

    /// This configuration, if there was such a machine.
    ///
    /// # Errors
    /// [`ConfigError`] for a number of cubes outside 1 to 4, or above 1 on an M-20, or an ITEP machine in memory mode I.
    pub const fn check(self) -> Result<Config, ConfigError> {
        match self {
            Config { cubes: 0 | 5.., .. } => Err(ConfigError::Cubes(self.cubes)),
            Config { model, cubes, .. } if cubes > model.most_cubes() => Err(ConfigError::OneCube(cubes, model)),
            Config { model: Model::Itep, memory_mode: MemoryMode::I, .. } => Err(ConfigError::ItepNeedsModeII),
            Config { .. } => Ok(self),
        }
    }

    /// The nearest machine that exists: cubes brought into what the model has, memory mode II for the ITEP machine.
    #[must_use]
    pub const fn nearest(self) -> Config {
        let most = self.model.most_cubes();
        let cubes = match self.cubes {
            0 => 1,
            cubes if cubes > most => most,
            cubes => cubes,
        };
        let memory_mode = match self.model {
            Model::Itep => MemoryMode::II,
            Model::M220 | Model::M20 => self.memory_mode,
        };
        Config { model: self.model, cubes, memory_mode }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_that_do_not_exist_are_refused_and_brought_to_the_nearest() {
        let config = Config { cubes: 5, ..Config::new(Model::M220) };
        assert_eq!(config.check(), Err(ConfigError::Cubes(5)));
        assert_eq!(config.nearest().cubes, 4);
        let m20 = Config { cubes: 2, ..Config::new(Model::M20) };
        assert_eq!(m20.check(), Err(ConfigError::OneCube(2, Model::M20)));
        assert_eq!(m20.nearest(), Config::new(Model::M20));
        assert_eq!(Config { cubes: 0, ..config }.check(), Err(ConfigError::Cubes(0)));
        let config = Config { memory_mode: MemoryMode::I, ..Config::new(Model::Itep) };
        assert_eq!(config.check(), Err(ConfigError::ItepNeedsModeII));
        assert_eq!(config.nearest(), Config::new(Model::Itep));
    }
}
