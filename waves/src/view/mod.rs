//! What a viewer shows of a dump: groups of signals with colours and formats, and markers.
//!
//! A [`View`] is made from the same declarations as the dump, checked against what the dump holds, and written as a
//! GTKWave save file with translate files and as a Surfer command file with mapping files.

mod gtkwave;
mod surfer;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::file_error;
use crate::layout::EnumType;
use crate::{Dump, EnumId, Kind, Stories, WaveError};

/// Place of the differences among the groups, after the operations.
const DIFFERENCES: usize = 1;

/// Most markers of a view: GTKWave has a letter for each.
const MARKER_LIMIT: usize = 26;

/// Colour of a signal's trace; every one exists in GTKWave and in Surfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The viewer's own.
    Normal,
    /// Differences and faults.
    Red,
    /// Operations.
    Orange,
    /// The golden model.
    Yellow,
    /// The RTL.
    Green,
}

/// How a signal's value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// Hexadecimal.
    Hexadecimal,
    /// Unsigned decimal.
    Decimal,
    /// Ones and zeros.
    Binary,
    /// The bytes as characters.
    Text,
    /// By the names of an enum type.
    Names(EnumId),
}

impl From<Kind> for Radix {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Flag => Radix::Binary,
            Kind::Bits(_) => Radix::Hexadecimal,
            Kind::Integer => Radix::Decimal,
            Kind::Enum(names) => Radix::Names(names),
            Kind::Text(_) => Radix::Text,
        }
    }
}

/// One line of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Full dotted name, without a bit range.
    pub path: String,
    /// Its colour.
    pub colour: Colour,
    /// Its radix.
    pub radix: Radix,
}

/// Traces under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The heading, without blanks.
    pub name: String,
    /// Whether it is shown folded at first.
    pub is_folded: bool,
    /// The traces, from top to bottom.
    pub traces: Vec<Trace>,
}

/// A named line at the beginning of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Its name, without blanks.
    pub name: String,
    /// The cycle.
    pub cycle: u64,
}

/// What a viewer shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Groups from top to bottom.
    pub groups: Vec<Group>,
    /// Markers; the view opens around the first one. At most 26.
    pub markers: Vec<Marker>,
}

/// The files of a written view, beside the path that the dump was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewFiles {
    /// GTKWave's save file.
    pub gtkwave: PathBuf,
    /// Surfer's command file.
    pub surfer: PathBuf,
    /// The dump's absolute path.
    dump: PathBuf,
}

impl View {
    /// The standard view: operations, differences with the pins that have them, then each group of pins, outputs with RTL
    /// and model one above the other.
    ///
    /// Pins that the trace of the device under test does not hold are left out, and those that have told nothing
    /// ([`Stories::is_quiet`]) stand in a folded group at the end.
    pub fn standard(dump: &Dump, stories: &Stories, markers: Vec<Marker>) -> Self {
        let mut groups = vec![Group { name: "ops".to_owned(), is_folded: false, traces: Vec::new() }];
        for lane in stories.lanes() {
            push(&mut groups[0].traces, dump, &format!("ops.{lane}"), Colour::Orange, None);
        }
        let group = |name: &str, is_folded| Group { name: name.to_owned(), is_folded, traces: Vec::new() };
        let (mut details, mut quiet) = (group("diff_pins", true), group("quiet_pins", true));
        let mut differences = group("diff", false);
        push(&mut differences.traces, dump, "diff.any", Colour::Red, None);
        push(&mut differences.traces, dump, "diff.any_first", Colour::Red, None);
        groups.push(differences);
        for (index, pin) in stories.pins().iter().enumerate() {
            let (dut, model) = (format!("dut.{}", pin.name), format!("model.{}", pin.name));
            let kind = dump.entry(&model).map(|entry| entry.kind);
            let position = match groups.iter().position(|group| group.name == pin.group) {
                Some(position) => position,
                None => {
                    groups.push(group(&pin.group, false));
                    groups.len() - 1
                }
            };
            let (differs, flags) = match stories.differs(index) {
                true => (true, &mut groups[DIFFERENCES].traces),
                false => (false, &mut details.traces),
            };
            push(flags, dump, &format!("diff.{}", pin.name), Colour::Red, None);
            push(flags, dump, &format!("diff.{}_first", pin.name), Colour::Red, None);
            let traces = match (differs, stories.is_quiet(index)) {
                (true, _) => &mut groups[DIFFERENCES].traces,
                (false, true) => &mut quiet.traces,
                (false, false) => &mut groups[position].traces,
            };
            push(traces, dump, &dut, Colour::Green, kind);
            // An input is the same for both.
            if pin.is_output || dump.entry(&dut).is_none() {
                push(traces, dump, &model, Colour::Yellow, None);
            }
        }
        groups.extend([details, quiet]);
        groups.retain(|group| !group.traces.is_empty());
        Self { groups, markers }
    }

    /// Writes the view's files beside a dump called `NAME` (with its ending): `NAME.gtkw`, `NAME.sucl`, `NAME.enums/`
    /// with a translate file for each enum type, and `.surfer/mappings/` with the same for Surfer.
    ///
    /// # Errors
    /// [`WaveError::UnknownSignal`] if a trace is not in the dump, [`WaveError::Name`] for a group or marker whose name
    /// has blanks and for a 27th marker, [`WaveError::File`] if a file cannot be written.
    pub fn write(&self, dump: &Dump) -> Result<ViewFiles, WaveError> {
        for name in self.groups.iter().map(|group| &group.name).chain(self.markers.iter().map(|marker| &marker.name)) {
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
                let reason = "a group or marker has a name of printable ASCII without blanks";
                return Err(WaveError::Name { name: name.clone(), reason });
            }
        }
        if let Some(marker) = self.markers.get(MARKER_LIMIT) {
            return Err(WaveError::Name { name: marker.name.clone(), reason: "a view has at most 26 markers" });
        }
        for trace in self.groups.iter().flat_map(|group| &group.traces) {
            if dump.entry(&trace.path).is_none() {
                return Err(WaveError::UnknownSignal { name: trace.path.clone() });
            }
        }
        let path = std::path::absolute(&dump.path).map_err(|source| file_error(&dump.path, "find", source))?;
        gtkwave::write(self, dump, &path)?;
        surfer::write(self, dump, &path)?;
        let [gtkwave, surfer, _] = paths_beside(&dump.path);
        Ok(ViewFiles { gtkwave, surfer, dump: path })
    }

    fn enums<'d>(&self, dump: &'d Dump) -> Vec<&'d EnumType> {
        let mut used: Vec<u32> = Vec::new();
        for trace in self.groups.iter().flat_map(|group| &group.traces) {
            if let Radix::Names(names) = trace.radix
                && !used.contains(&names.0)
            {
                used.push(names.0);
            }
        }
        used.into_iter().map(|index| dump.enum_type(EnumId(index))).collect()
    }
}

impl ViewFiles {
    /// The command that opens the view in GTKWave.
    pub fn gtkwave_command(&self) -> Command {
        let mut command = Command::new("gtkwave");
        command.arg(&self.dump).arg(beside(&self.dump, gtkwave::ENDING));
        command
    }

    /// The command that opens the view in Surfer, which looks for mapping files below the current folder.
    pub fn surfer_command(&self) -> Command {
        let mut command = Command::new("surfer");
        if let Some(folder) = self.dump.parent() {
            command.current_dir(folder);
        }
        command.arg(&self.dump).arg("--command-file").arg(beside(&self.dump, surfer::ENDING));
        command
    }
}

/// Adds a trace if the dump holds it.
fn push(traces: &mut Vec<Trace>, dump: &Dump, path: &str, colour: Colour, kind: Option<Kind>) {
    let Some(entry) = dump.entry(path) else {
        return;
    };
    traces.push(Trace { path: path.to_owned(), colour, radix: Radix::from(kind.unwrap_or(entry.kind)) });
}

/// What a view of a dump at `dump` takes beside it: GTKWave's save file, Surfer's command file, and the folder of GTKWave's names.
pub fn paths_beside(dump: &Path) -> [PathBuf; 3] {
    [gtkwave::ENDING, surfer::ENDING, gtkwave::NAMES_ENDING].map(|ending| beside(dump, ending))
}

/// `NAME.suffix` for a dump called `NAME`, whose own ending stays: a VCD and an FST of one run have views of their own.
fn beside(dump: &Path, suffix: &str) -> PathBuf {
    let mut name = dump.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

fn write_file(path: &Path, text: &str) -> Result<(), WaveError> {
    std::fs::write(path, text).map_err(|source| file_error(path, "write the view", source))
}

fn create_folder(path: &Path) -> Result<(), WaveError> {
    std::fs::create_dir_all(path).map_err(|source| file_error(path, "create the folder", source))
}
