//! Registers by name, for whatever displays or sets them.

use crate::{Machine, Periphery, Registers};
use m220_isa::{Address, Word};

/// A register of the processor or the console.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// The instruction counter, 12 bits.
    Rvk,
    /// The address register, 12 bits.
    Ra,
    /// The condition bit.
    Omega,
    /// The result register, 45 bits.
    Rr,
    /// The low product of the last multiplication, 45 bits.
    Rmr,
    /// The word at the effective A1 of the last instruction, 45 bits.
    P1,
    /// The cube that instructions are fetched from, 3 bits like the other cube registers.
    RpKra,
    /// The cube of A1.
    RpA1,
    /// The cube of A2.
    RpA2,
    /// The cube of A3.
    RpA3,
    /// The bits put before drum numbers.
    RpMb,
    /// The bits put before tape numbers.
    RpMl,
    /// A key register of the console, 1 to 4.
    Key(usize),
}

/// Every register, in display order: the name that people type and read, a short description, the width in bits.
const REGISTERS: [(Register, &str, &str, u32); 16] = [
    (Register::Rvk, "RVK", "instruction counter", 12),
    (Register::Ra, "RA", "address register", 12),
    (Register::Omega, "OMEGA", "the condition bit", 1),
    (Register::Rr, "RR", "result register", 45),
    (Register::Rmr, "RMR", "low product", 45),
    (Register::P1, "P1", "word at the last first address", 45),
    (Register::RpKra, "RPKRA", "cube of the instruction counter", 3),
    (Register::RpA1, "RPA1", "cube of first addresses", 3),
    (Register::RpA2, "RPA2", "cube of second addresses", 3),
    (Register::RpA3, "RPA3", "cube of third addresses", 3),
    (Register::RpMb, "RPMB", "extends drum numbers", 3),
    (Register::RpMl, "RPML", "extends tape numbers", 3),
    (Register::Key(1), "RPU1", "key register of the console", 45),
    (Register::Key(2), "RPU2", "key register of the console", 45),
    (Register::Key(3), "RPU3", "key register of the console", 45),
    (Register::Key(4), "RPU4", "key register of the console", 45),
];

impl Register {
    /// Every register, in display order.
    pub const ALL: [Register; REGISTERS.len()] = {
        let mut all = [Register::Rvk; REGISTERS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = REGISTERS[index].0;
            index += 1;
        }
        all
    };

    fn row(self) -> (Register, &'static str, &'static str, u32) {
        REGISTERS.into_iter().find(|row| row.0 == self).unwrap_or(REGISTERS[REGISTERS.len() - 1])
    }

    /// The name that people type and read.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// A short description for people.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.row().2
    }

    /// Its width in bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.row().3
    }

    /// The register with this name, spelt in capitals or, with `any_case`, in any mixture of cases.
    #[must_use]
    pub fn named(name: &str, any_case: bool) -> Option<Register> {
        Register::ALL
            .into_iter()
            .find(|register| register.name() == name || any_case && register.name().eq_ignore_ascii_case(name))
    }

    /// Its value in a machine.
    #[must_use]
    pub fn read<P: Periphery>(self, machine: &Machine<P>) -> u64 {
        let registers = machine.registers();
        match self {
            Register::Rvk => u64::from(registers.rvk.get()),
            Register::Ra => u64::from(registers.ra.get()),
            Register::Omega => u64::from(registers.omega),
            Register::Rr => registers.rr.bits(),
            Register::Rmr => registers.rmr.bits(),
            Register::P1 => registers.p1.bits(),
            Register::RpKra => u64::from(registers.cubes.rp_kra),
            Register::RpA1 => u64::from(registers.cubes.rp_a1),
            Register::RpA2 => u64::from(registers.cubes.rp_a2),
            Register::RpA3 => u64::from(registers.cubes.rp_a3),
            Register::RpMb => u64::from(registers.cubes.rp_mb),
            Register::RpMl => u64::from(registers.cubes.rp_ml),
            Register::Key(key) => machine.key(key).bits(),
        }
    }

    /// Sets it. Bits of the value beyond [`Register::bits`] are dropped.
    pub fn write<P: Periphery>(self, machine: &mut Machine<P>, value: u64) {
        let mut registers: Registers = machine.registers();
        // After `set_registers` the run continues at RVK; after a halt that would be the halt again.
        registers.rvk = machine.next_cell().cell();
        let small = (value & 7) as u8;
        match self {
            Register::Rvk => registers.rvk = Address::truncating(value),
            Register::Ra => registers.ra = Address::truncating(value),
            Register::Omega => registers.omega = value != 0,
            Register::Rr => registers.rr = Word::truncating(value),
            Register::Rmr => registers.rmr = Word::truncating(value),
            Register::P1 => registers.p1 = Word::truncating(value),
            Register::RpKra => registers.cubes.rp_kra = small,
            Register::RpA1 => registers.cubes.rp_a1 = small,
            Register::RpA2 => registers.cubes.rp_a2 = small,
            Register::RpA3 => registers.cubes.rp_a3 = small,
            Register::RpMb => registers.cubes.rp_mb = small,
            Register::RpMl => registers.cubes.rp_ml = small,
            Register::Key(key) => return machine.set_key(key, Word::truncating(value)),
        }
        machine.set_registers(&registers);
    }

    /// A value as the register's octal digits.
    #[must_use]
    pub fn show(self, value: u64) -> String {
        match self.bits() {
            45 => Word::truncating(value).grouped(),
            12 => format!("{value:04o}"),
            _ => format!("{value:o}"),
        }
    }
}
