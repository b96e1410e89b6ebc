//! Cell addresses.

use std::fmt;
use std::str::FromStr;

/// A 12-bit cell address within one cube of core, 0000 to 7777 octal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Address(u16);

/// A cell of core in any cube: a cube number, 0 to 7, followed by a 12-bit address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CoreAddress(u16);

/// Why a text or number is not an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not octal digits.
    #[error("`{0}` is not an octal address: expected up to 4 digits 0-7, or 5 with the cube in front")]
    NotOctal(String),
    /// Not octal digits, where there is one cube.
    #[error("`{0}` is not an octal address: expected up to 4 digits 0-7")]
    NotInCube(String),
    /// Above 7777, or above 77777 with a cube.
    #[error("address {0:o} is above {1:o}")]
    TooLarge(u64, u16),
}

impl Address {
    /// Cell 0000, which always reads as zero.
    pub const ZERO: Address = Address(0);
    /// The number of cells in a cube of core: 4096, 10000 octal.
    pub const CELLS: usize = 0o10000;
    /// The last cell of a cube, 7777 octal.
    pub const MAX: Address = Address(0o7777);

    /// The address in the low 12 bits of `bits`; the rest is dropped, as in the machine.
    #[must_use]
    pub const fn truncating(bits: u64) -> Address {
        Address((bits & 0o7777) as u16)
    }

    /// The address, if it fits in 12 bits.
    ///
    /// # Errors
    /// [`AddressError::TooLarge`] above 7777 octal.
    pub const fn new(bits: u64) -> Result<Address, AddressError> {
        if bits > 0o7777 { Err(AddressError::TooLarge(bits, 0o7777)) } else { Ok(Address(bits as u16)) }
    }

    /// The 12 bits.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// This address plus `by`, modulo 10000 octal.
    #[must_use]
    pub const fn offset(self, by: u16) -> Address {
        Address(self.0.wrapping_add(by) & 0o7777)
    }
}

impl CoreAddress {
    /// Cell `cell` of cube `cube` (its low three bits).
    #[must_use]
    pub const fn new(cube: u8, cell: Address) -> CoreAddress {
        CoreAddress(((cube as u16 & 7) << 12) | cell.0)
    }

    /// The address with this flat index, 4096 x cube + cell.
    ///
    /// # Errors
    /// [`AddressError::TooLarge`] above 77777 octal.
    pub const fn from_index(index: usize) -> Result<CoreAddress, AddressError> {
        if index > 0o77777 { Err(AddressError::TooLarge(index as u64, 0o77777)) } else { Ok(CoreAddress(index as u16)) }
    }

    /// The addresses from this one to `last`, across cubes.
    pub fn through(self, last: CoreAddress) -> impl Iterator<Item = CoreAddress> + use<> {
        (self.0..=last.0).map(CoreAddress)
    }

    /// The cube, 0 to 7.
    #[must_use]
    pub const fn cube(self) -> u8 {
        (self.0 >> 12) as u8
    }

    /// The cell within the cube.
    #[must_use]
    pub const fn cell(self) -> Address {
        Address(self.0 & 0o7777)
    }

    /// The flat index, 4096 x cube + cell.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Address> for CoreAddress {
    fn from(cell: Address) -> CoreAddress {
        CoreAddress::new(0, cell)
    }
}

fn parse_octal(text: &str, digits: usize) -> Result<u64, AddressError> {
    let is_octal = !text.is_empty() && text.len() <= digits && text.bytes().all(|b| (b'0'..=b'7').contains(&b));
    if !is_octal {
        return Err(AddressError::NotOctal(text.to_owned()));
    }
    u64::from_str_radix(text, 8).map_err(|_| AddressError::NotOctal(text.to_owned()))
}

impl FromStr for Address {
    type Err = AddressError;

    /// Up to four octal digits.
    fn from_str(text: &str) -> Result<Address, AddressError> {
        Address::new(parse_octal(text, 5).map_err(|_| AddressError::NotInCube(text.to_owned()))?)
    }
}

impl FromStr for CoreAddress {
    type Err = AddressError;

    /// Up to four octal digits, or five with the cube in front.
    fn from_str(text: &str) -> Result<CoreAddress, AddressError> {
        CoreAddress::from_index(parse_octal(text, 5)? as usize)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04o}", self.0)
    }
}

impl fmt::Display for CoreAddress {
    /// Four octal digits in cube 0, five in the others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04o}", self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for CoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_with_and_without_a_cube() {
        assert_eq!("0113".parse::<CoreAddress>().unwrap().to_string(), "0113");
        assert_eq!("20113".parse::<CoreAddress>().unwrap().cube(), 2);
        assert_eq!("20113".parse::<CoreAddress>().unwrap().to_string(), "20113");
        for bad in ["", "8", "-1", "100000", "0x1", "１"] {
            assert!(bad.parse::<CoreAddress>().is_err(), "{bad}");
        }
        assert!("10000".parse::<Address>().is_err());
    }

    #[test]
    fn offsets_wrap_at_the_end_of_a_cube() {
        assert_eq!(Address::MAX.offset(1), Address::ZERO);
        assert_eq!(Address::truncating(0o5).offset(0o7776), Address::truncating(3));
    }
}
