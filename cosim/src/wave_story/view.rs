//! The view of a run's waves: the standard one, with the places of the model.

use std::collections::BTreeSet;

use lsu_waves::view::{Colour, Group, Marker, Radix, Trace, View};
use lsu_waves::{Dump, Stories};

use super::places::PlaceStory;

const PLACES: &str = "model.places.";

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
    let after = view.groups.iter().position(|group| group.name == "ops").map_or(0, |ops| ops + 1);
    if !places.traces.is_empty() {
        view.groups.insert(after, places);
    }
    if !details.traces.is_empty() {
        view.groups.push(details);
    }
    view
}
