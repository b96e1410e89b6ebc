//! The pieces as outlines, drawn for this project: no font is needed, and every viewer shows the same.

use shakmaty::Role;

/// The foot that all pieces stand on.
macro_rules! standing {
    ($outline:literal) => {
        concat!($outline, " M11 39h23v-3.5q0-2.5-2.5-2.5h-18q-2.5 0-2.5 2.5z")
    };
}

/// The outline of a piece in a square of 45 units, as SVG path data; holes by the even-odd rule.
pub const fn outline(role: Role) -> &'static str {
    match role {
        Role::Pawn => standing!(
            "M22.5 9a6 6 0 0 1 4.2 10.3h2.3v2.6h-3q.6 6.3 4.5 11.1h-16q3.900-4.800 4.500-11.100h-3v-2.600h2.300A6 6 0 0 1 22.500 9z"
        ),
        Role::Knight => standing!(
            "M15.500 33c-.5-6 5.500-8 5.700-12.500-2.700 1.300-4.700 3.300-7.700 3.100l-2.900-2.700c.8-4.200 4.400-8.700 8.400-10.700l.5-4.200 3.700 3c6.800 1 11.200 8.200 11.200 15.500 0 3.800-.9 5.700-1.100 8.500z M19 15.500a1.300 1.300 0 1 0 .01 0z"
        ),
        Role::Bishop => standing!(
            "M22.500 5.500a2.500 2.500 0 0 1 1.800 4.200c4 3 6.700 7 6.700 11.300 0 3-1.500 5.500-4 7l1.500 5h-12l1.500-5c-2.500-1.500-4-4-4-7 0-4.300 2.700-8.300 6.700-11.300a2.500 2.500 0 0 1 1.800-4.200z M21.500 15v3h-3v2h3v4h2v-4h3v-2h-3v-3z"
        ),
        Role::Rook => standing!("M12 8h5v3.500h3.200V8h4.600v3.500H28V8h5v9l-3 2.600v10.400l2 3H13l2-3V19.600L12 17z"),
        Role::Queen => standing!(
            "M8.500 12.500l6 9.500L16 9.500l4.700 11.500L22.500 7.500 24.300 21 29 9.500 30.500 22l6-9.500L33 28l-1.500 5h-18L12 28z"
        ),
        Role::King => standing!(
            "M21 4h3v3h3v3h-3v4.300c4.500-2.600 11.500-1.300 11.500 4.700 0 4-3 7-4.300 10.500l-.7 3.500h-16l-.7-3.500C12.500 26 9.500 23 9.500 19c0-6 7-7.300 11.500-4.700V10h-3V7h3z"
        ),
    }
}
