//! The model's state as a flat list of named values, for waves.
//!
//! Whoever shows the state needs to know no place by name: [`Golden::visit_places`] names them all, always the same
//! ones in the same order.

use super::Golden;
use super::places::{DataView, EntryView, OperationView, PassView, TagView};

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
        let places = self.places();
        let lanes = self.constant.preset.lanes as u32;
        operation(visitor, lanes, "intake", places.intake);
        operation(visitor, lanes, "group", places.group);
        operation(visitor, lanes, "issue", places.issue);
        tag(visitor, lanes, places.tag);
        data(visitor, lanes, places.data);
        for (number, entry) in places.misses.iter().take(self.constant.preset.constant_misses).enumerate() {
            miss(visitor, lanes, number, *entry);
        }
        visitor.place("read_queue", None, places.queued > 0);
        visitor.value("length", 8, Some(places.queued as u64));
        for (name, content) in [("response", places.response), ("wb", places.wb), ("fault", places.fault)] {
            visitor.place(name, None, content.is_some());
            let value = if name == "response" { "id" } else { "tag" };
            visitor.value(value, 8, content.map(u64::from));
        }
        visitor.place("done", None, places.done.is_some());
        visitor.value("tag", 8, places.done.map(u64::from));
        self.global.visit_places(visitor, &self.constant.preset);
    }
}

fn operation(visitor: &mut impl PlaceVisitor, lanes: u32, name: &'static str, view: Option<OperationView>) {
    visitor.place(name, None, view.is_some());
    visitor.value("tag", 8, view.map(|view| view.tag.into()));
    visitor.value("faulty", 1, view.map(|view| view.faulty.into()));
    visitor.value("command", 1, view.map(|view| view.command.into()));
    visitor.value("unserved", lanes, view.map(|view| view.unserved.into()));
}

fn tag(visitor: &mut impl PlaceVisitor, lanes: u32, view: Option<TagView>) {
    let (tag, command, content) = match view {
        None => (None, None, None),
        Some(TagView::Command { tag, command }) => (Some(tag), Some(command), None),
        Some(TagView::Pass(content)) => (Some(content.tag), None, Some(content)),
    };
    visitor.place("tag", None, view.is_some());
    visitor.value("tag", 8, tag.map(u64::from));
    visitor.value("command", 2, command.map(u64::from));
    pass(visitor, lanes, content);
}

fn data(visitor: &mut impl PlaceVisitor, lanes: u32, view: Option<DataView>) {
    visitor.place("data", None, view.is_some());
    visitor.value("tag", 8, view.map(|view| view.pass.tag.into()));
    pass(visitor, lanes, view.map(|view| view.pass));
    visitor.value("beat", 5, view.map(|view| view.beat.into()));
    visitor.value("beats", 6, view.map(|view| view.beats.into()));
    visitor.value("failed", lanes, view.map(|view| view.failed.into()));
    visitor.value("from_miss", 1, view.map(|view| view.from_miss.into()));
}

fn miss(visitor: &mut impl PlaceVisitor, lanes: u32, number: usize, view: Option<EntryView>) {
    visitor.place("miss", Some(number), view.is_some());
    visitor.value("tag", 8, view.map(|view| view.pass.tag.into()));
    pass(visitor, lanes, view.map(|view| view.pass));
    visitor.value("fetch", 5, view.map(|view| view.fetch.into()));
    visitor.value("ready", 1, view.map(|view| view.ready.into()));
    visitor.value("killed", 1, view.map(|view| view.killed.into()));
}

/// A pass without its tag.
fn pass(visitor: &mut impl PlaceVisitor, lanes: u32, view: Option<PassView>) {
    visitor.value("bank", 5, view.map(|view| view.bank.into()));
    visitor.value("line", 10, view.map(|view| view.line.into()));
    visitor.value("group", lanes, view.map(|view| view.group.into()));
    visitor.value("zero", lanes, view.map(|view| view.zero.into()));
}
