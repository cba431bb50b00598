//! The view of a run's waves: the standard one, with the places of the model.

use std::collections::BTreeSet;

use lsu_waves::view::{Colour, Group, Marker, Radix, Trace, View};
use lsu_waves::{Dump, Entry, Stories};

use super::places::PlaceStory;

const PLACES: &str = "model.places.";

/// Beginning of the names of the signals that hold the tag stage.
const CAUSE: &str = "stalls_";

/// Beginnings of the names of the counters of stalls.
const COUNTERS: [&str; 2] = ["dut.status_stall_", "model.status_stall_"];

/// The view of `dump`: which tag is where stands below the operations, for the places that were in use; the rest of the
/// places is folded away.
pub(super) fn view(dump: &Dump, stories: &Stories, places_story: Option<&PlaceStory>, markers: Vec<Marker>) -> View {
    let used: BTreeSet<&str> = places_story.into_iter().flat_map(PlaceStory::used).collect();
    let mut view = View::standard(dump, stories, markers);
    let mut places = Group { name: "places".to_owned(), is_folded: false, traces: Vec::new() };
    let mut details = Group { name: "place_details".to_owned(), is_folded: true, traces: Vec::new() };
    for entry in dump.entries.iter().filter(|entry| entry.path.starts_with(PLACES)) {
        let is_tag =
            entry.path.strip_suffix(".tag").is_some_and(|place| used.contains(format!("{place}.valid").as_str()));
        let group = if is_tag { &mut places } else { &mut details };
        let (path, radix) = (entry.path.clone(), Radix::from(entry.kind));
        group.traces.push(Trace { path, colour: Colour::Yellow, radix });
    }
    let stalls = Group { name: "stalls".to_owned(), is_folded: false, traces: stalls(dump) };
    let after = view.groups.iter().position(|group| group.name == "ops").map_or(0, |ops| ops + 1);
    for group in [stalls, places] {
        if !group.traces.is_empty() {
            view.groups.insert(after, group);
        }
    }
    if !details.traces.is_empty() {
        view.groups.push(details);
    }
    view
}

/// Why the tag stage of the RTL waits, in each scope that says it: whether it moves on, and the causes that hold it; then
/// the counters of these causes, of RTL and model.
fn stalls(dump: &Dump) -> Vec<Trace> {
    let scopes = dump.entries.iter().filter_map(|entry| entry.path.strip_suffix(".moves"));
    let scopes = scopes.filter(|scope| dump.entry(&format!("{scope}.{CAUSE}order")).is_some());
    let causes = scopes.flat_map(|scope| {
        let is_cause = move |path: &str| {
            path.strip_prefix(scope).and_then(|name| name.strip_prefix('.')).is_some_and(|name| name.starts_with(CAUSE))
        };
        let moves = dump.entry(&format!("{scope}.moves"));
        moves.into_iter().chain(dump.entries.iter().filter(move |entry| is_cause(&entry.path)))
    });
    let counters = dump.entries.iter().filter(|entry| {
        COUNTERS.iter().any(|counter| entry.path.strip_prefix(counter).is_some_and(|cause| !cause.contains('.')))
    });
    let trace = |entry: &Entry| {
        let colour = if entry.path.starts_with("model.") { Colour::Yellow } else { Colour::Green };
        Trace { path: entry.path.clone(), colour, radix: Radix::from(entry.kind) }
    };
    causes.chain(counters).map(trace).collect()
}
