//! The model's state as a flat list of named values, for waves.
//!
//! Whoever shows the state needs to know no place by name: [`Golden::visit_places`] names them all, always the same
//! ones in the same order.

use super::Golden;

/// Receives the places of a [`Golden`] one by one, each followed by its values.
pub trait PlaceVisitor {
    /// The next place; `number` tells places of the same name apart. An empty place has values without meaning.
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool);

    /// A value of that place, `bits` wide; `None` where it means nothing.
    fn value(&mut self, name: &'static str, bits: u32, value: Option<u64>);
}

/// Hands everything on, and sees that each value fits its width.
struct Fitting<'a, V> {
    visitor: &'a mut V,
    place: &'static str,
}

impl<V: PlaceVisitor> PlaceVisitor for Fitting<'_, V> {
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool) {
        self.place = name;
        self.visitor.place(name, number, is_occupied);
    }

    fn value(&mut self, name: &'static str, bits: u32, value: Option<u64>) {
        let fits = |value: u64| value.checked_shr(bits).is_none_or(|above| above == 0);
        assert!(value.is_none_or(fits), "{}.{name} is {value:?}, in {bits} bits", self.place);
        self.visitor.value(name, bits, value);
    }
}

impl Golden {
    /// Shows `visitor` every place as this cycle's values are, before the next call of [`Golden::step`].
    ///
    /// The names, widths and their order depend on the preset alone.
    ///
    /// # Panics
    /// If a value is wider than the model says, since a wave would show its low bits only.
    pub fn visit_places(&self, visitor: &mut impl PlaceVisitor) {
        let visitor = &mut Fitting { visitor, place: "" };
        self.constant.visit_places(visitor);
        self.global.visit_places(visitor, &self.constant.preset);
    }
}
