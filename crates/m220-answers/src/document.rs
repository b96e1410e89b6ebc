//! What several documents have in common.

use serde::Serialize;
use shakmaty::ByColor;

/// One thing for each side.
#[derive(Serialize, Debug, Clone, PartialEq, Default)]
pub struct BySide<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> From<ByColor<T>> for BySide<T> {
    fn from(ByColor { black, white }: ByColor<T>) -> BySide<T> {
        BySide { white, black }
    }
}
