//! The values of the registers that the console displays and sets.

use m220_isa::{Address, Word};

/// The cube registers of the M-220: three bits each. Those for core precede a 12-bit cell address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct CubeRegisters {
    /// The bits put before drum numbers.
    pub rp_mb: u8,
    /// The bits put before tape numbers.
    pub rp_ml: u8,
    /// The cube that instructions are fetched from.
    pub rp_kra: u8,
    /// The cube of A1.
    pub rp_a1: u8,
    /// The cube of A2 as an operand (a jump stays in the cube of RP KRA).
    pub rp_a2: u8,
    /// The cube of A3.
    pub rp_a3: u8,
}

/// The cube registers in one integer, a byte for each. The engines hold them like this: stored byte by
/// byte and then loaded together, they would have to wait for the host's cache after every code 57.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedCubes(u64);

impl PackedCubes {
    #[inline(always)]
    pub(crate) fn unpacked(self) -> CubeRegisters {
        let [rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3, ..] = self.0.to_le_bytes();
        CubeRegisters { rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3 }
    }

    /// Only those that concern core: without RP MB and RP ML.
    #[inline(always)]
    pub(crate) fn of_core(self) -> PackedCubes {
        PackedCubes(self.0 & !0xFFFF)
    }
}

impl From<CubeRegisters> for PackedCubes {
    #[inline(always)]
    fn from(cubes: CubeRegisters) -> PackedCubes {
        let CubeRegisters { rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3 } = cubes;
        PackedCubes(u64::from_le_bytes([rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3, 0, 0]))
    }
}

impl CubeRegisters {
    /// The cubes of A1, A2, A3.
    #[must_use]
    pub const fn operands(self) -> [u8; 3] {
        [self.rp_a1, self.rp_a2, self.rp_a3]
    }

    /// Every register truncated to three bits.
    #[must_use]
    pub(crate) const fn truncated(self) -> CubeRegisters {
        CubeRegisters {
            rp_mb: self.rp_mb & 7,
            rp_ml: self.rp_ml & 7,
            rp_kra: self.rp_kra & 7,
            rp_a1: self.rp_a1 & 7,
            rp_a2: self.rp_a2 & 7,
            rp_a3: self.rp_a3 & 7,
        }
    }
}

/// An exchange prepared by code 50 and not yet carried out by code 70. It uses the cube registers as
/// they are when the 70 executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Preparation {
    /// The condition number, A1 of the 50.
    pub condition: Address,
    /// The address on the device, A2 of the 50.
    pub device_address: Address,
    /// The last core cell, A3 of the 50.
    pub last: Address,
}

/// The registers of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Registers {
    /// The instruction counter: the cell of the next instruction, or after a stop caused by an
    /// instruction, that instruction's cell.
    pub rvk: Address,
    /// The address register.
    pub ra: Address,
    /// Omega.
    pub omega: bool,
    /// The result register.
    pub rr: Word,
    /// The low product of the last multiplication.
    pub rmr: Word,
    /// The word at the effective A1 of the last instruction; only code 47 sees it.
    pub p1: Word,
    /// Whether the last instruction was a multiplication; code 47 depends on it.
    pub after_multiplication: bool,
    /// The cube registers.
    pub cubes: CubeRegisters,
    /// The exchange prepared by code 50, if one is.
    pub prepared: Option<Preparation>,
}
