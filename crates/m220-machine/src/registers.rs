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

/// The cube registers in one integer, three bits each in the order of the fields, as in the addresses of code 57.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedCubes(u32);

impl PackedCubes {
    /// How many settings there are of the registers that concern core.
    pub(crate) const OF_CORE: usize = 1 << 12;

    pub(crate) fn unpacked(self) -> CubeRegisters {
        let [rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3] = [15, 12, 9, 6, 3, 0].map(|place| (self.0 >> place) as u8 & 7);
        CubeRegisters { rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3 }
    }

    /// The setting of those that concern core, without RP MB and RP ML, as a number below [`PackedCubes::OF_CORE`].
    #[inline(always)]
    pub(crate) fn of_core(self) -> usize {
        self.0 as usize % PackedCubes::OF_CORE
    }

    /// Code 57 of the M-220, given its addresses: the new cube registers, and the word that restores the old ones
    /// (that the old values stand in the same places is inferred).
    #[inline(always)]
    pub(crate) fn changed(self, a1: u16, a2: u16) -> (PackedCubes, Word) {
        /// By the bits that select the registers: the bits that the registers take.
        const SELECTED: [u32; 64] = {
            let mut masks = [0; 64];
            let mut bits = 0;
            while bits < 64 {
                let mut register = 0;
                while register < 6 {
                    masks[bits] |= (bits as u32 >> register & 1) * (7 << (3 * register));
                    register += 1;
                }
                bits += 1;
            }
            masks
        };
        let (selected, values) = (a1 >> 6 & 0o77, u32::from(a1 & 0o77) << 12 | u32::from(a2 & 0o7777));
        let mask = SELECTED[usize::from(selected)];
        let old = self.0 & mask;
        let [a1, a2] = [u32::from(selected) << 6 | old >> 12, old].map(|field| Address::truncating(u64::from(field)));
        (PackedCubes(self.0 & !mask | values & mask), Word::instruction(0o57, a1, a2, Address::ZERO))
    }
}

impl From<CubeRegisters> for PackedCubes {
    fn from(cubes: CubeRegisters) -> PackedCubes {
        let CubeRegisters { rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3 } = cubes;
        let registers = [rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3];
        PackedCubes(registers.iter().fold(0, |packed, &register| packed << 3 | u32::from(register & 7)))
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
