//! Declarations: scopes, signals and enums, made once before the run.

use std::collections::BTreeSet;

use crate::WaveError;

/// Longest name of a scope or signal, in bytes; FST holds at most 512 with the bit range.
const NAME_LIMIT: usize = 256;
/// Widest signal, in bits.
const WIDTH_LIMIT: u32 = 65_536;
/// Most columns of a text signal.
const COLUMN_LIMIT: u32 = WIDTH_LIMIT / 8;

/// Names a scope of a [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeId(u32);

/// Names a signal whose value is bits: flag, vector, integer or enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalId(pub(crate) u32);

/// Names a signal whose value is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextId(pub(crate) u32);

/// Names an enum type of a [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumId(pub(crate) u32);

/// What a signal holds and how viewers show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One bit.
    Flag,
    /// A vector of this many bits, shown in hexadecimal.
    Bits(u32),
    /// A 64-bit unsigned number, shown in decimal.
    Integer,
    /// A vector as wide as its enum type, shown by name.
    Enum(EnumId),
    /// ASCII text of at most this many characters. VCD holds it as a `string` variable, FST as that many bytes in a
    /// vector, since the FST encoder has no strings of varying length.
    Text(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) name: String,
    pub(crate) parent: Option<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Signal {
    pub(crate) name: String,
    pub(crate) scope: u32,
    pub(crate) kind: Kind,
    /// Bits in the file: the columns times 8 for text.
    pub(crate) width: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct EnumType {
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) variants: Vec<(u64, String)>,
}

/// The hierarchy of one dump.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub(crate) scopes: Vec<Scope>,
    pub(crate) signals: Vec<Signal>,
    pub(crate) enums: Vec<EnumType>,
    taken: BTreeSet<(Option<u32>, String)>,
}

impl Layout {
    /// An empty hierarchy.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a scope under `parent`, or a top-level one.
    ///
    /// # Errors
    /// [`WaveError::Name`] unless the name is an identifier that is new in its scope.
    pub fn scope(&mut self, parent: Option<ScopeId>, name: &str) -> Result<ScopeId, WaveError> {
        let parent = parent.map(|scope| scope.0);
        self.take_name(parent, name)?;
        self.scopes.push(Scope { name: name.to_owned(), parent });
        Ok(ScopeId(index_u32(self.scopes.len() - 1)))
    }

    /// Declares a signal of one bit.
    ///
    /// # Errors
    /// [`WaveError::Name`] unless the name is an identifier that is new in its scope.
    pub fn flag(&mut self, scope: ScopeId, name: &str) -> Result<SignalId, WaveError> {
        self.signal(scope, name, Kind::Flag, 1).map(SignalId)
    }

    /// Declares a vector of `width` bits.
    ///
    /// # Errors
    /// [`WaveError::Name`] as for [`Layout::flag`]; [`WaveError::Shape`] unless `width` is 1 to 65,536.
    pub fn bits(&mut self, scope: ScopeId, name: &str, width: u32) -> Result<SignalId, WaveError> {
        if width == 0 || width > WIDTH_LIMIT {
            return Err(shape(name, "a width is 1 to 65,536 bits"));
        }
        self.signal(scope, name, Kind::Bits(width), width).map(SignalId)
    }

    /// Declares a 64-bit unsigned number.
    ///
    /// # Errors
    /// [`WaveError::Name`] as for [`Layout::flag`].
    pub fn integer(&mut self, scope: ScopeId, name: &str) -> Result<SignalId, WaveError> {
        self.signal(scope, name, Kind::Integer, 64).map(SignalId)
    }

    /// Declares a signal whose values have names.
    ///
    /// # Errors
    /// [`WaveError::Name`] as for [`Layout::flag`].
    pub fn enumeration(&mut self, scope: ScopeId, name: &str, names: EnumId) -> Result<SignalId, WaveError> {
        let width = self.enums[names.0 as usize].width;
        self.signal(scope, name, Kind::Enum(names), width).map(SignalId)
    }

    /// Declares a text of at most `columns` characters.
    ///
    /// # Errors
    /// [`WaveError::Name`] as for [`Layout::flag`]; [`WaveError::Shape`] unless `columns` is 1 to 8,192.
    pub fn text(&mut self, scope: ScopeId, name: &str, columns: u32) -> Result<TextId, WaveError> {
        if columns == 0 || columns > COLUMN_LIMIT {
            return Err(shape(name, "a text has 1 to 8,192 columns"));
        }
        self.signal(scope, name, Kind::Text(columns), columns * 8).map(TextId)
    }

    /// Declares the names of an enum's values.
    ///
    /// # Errors
    /// [`WaveError::Name`] unless `name` is an identifier, [`WaveError::Shape`] if the width is not 1 to 64 bits, a
    /// value does not fit or comes twice, or a variant's name is empty or holds anything but printable ASCII.
    pub fn enum_type(&mut self, name: &str, width: u32, variants: &[(u64, &str)]) -> Result<EnumId, WaveError> {
        check_identifier(name)?;
        if self.enums.iter().any(|other| other.name == name) {
            return Err(WaveError::Name { name: name.to_owned(), reason: "two enum types have this name" });
        }
        if width == 0 || width > 64 {
            return Err(shape(name, "an enum is 1 to 64 bits wide"));
        }
        let mut seen = BTreeSet::new();
        for &(value, variant) in variants {
            if width < 64 && value >> width != 0 {
                return Err(shape(name, "an enum value does not fit its width"));
            }
            if !seen.insert(value) {
                return Err(shape(name, "an enum value comes twice"));
            }
            if variant.trim().is_empty() || !variant.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
                return Err(shape(name, "an enum name is empty or not printable ASCII"));
            }
        }
        let variants = variants.iter().map(|&(value, variant)| (value, variant.to_owned())).collect();
        self.enums.push(EnumType { name: name.to_owned(), width, variants });
        Ok(EnumId(index_u32(self.enums.len() - 1)))
    }

    /// Width of a signal's value in the file, in bits.
    pub fn width(&self, signal: SignalId) -> u32 {
        self.signals[signal.0 as usize].width
    }

    /// Full dotted name of a signal.
    pub fn path(&self, signal: SignalId) -> String {
        self.signal_path(signal.0)
    }

    pub(crate) fn signal_path(&self, index: u32) -> String {
        let signal = &self.signals[index as usize];
        let mut names = vec![signal.name.as_str()];
        let mut scope = Some(signal.scope);
        while let Some(index) = scope {
            let at = &self.scopes[index as usize];
            names.push(&at.name);
            scope = at.parent;
        }
        names.reverse();
        names.join(".")
    }

    /// Scopes directly under `parent`, in the order of their declaration.
    pub(crate) fn children(&self, parent: Option<ScopeId>) -> impl Iterator<Item = ScopeId> {
        let parent = parent.map(|scope| scope.0);
        (0..index_u32(self.scopes.len()))
            .filter(move |&index| self.scopes[index as usize].parent == parent)
            .map(ScopeId)
    }

    /// Signals of a scope with their index, in the order of their declaration.
    pub(crate) fn signals_in(&self, scope: ScopeId) -> impl Iterator<Item = (u32, &Signal)> {
        (0..).zip(&self.signals).filter(move |(_, signal)| signal.scope == scope.0)
    }

    pub(crate) fn scope_name(&self, scope: ScopeId) -> &str {
        &self.scopes[scope.0 as usize].name
    }

    /// Whether a top-level scope has this name.
    pub(crate) fn has_top_scope(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.parent.is_none() && scope.name == name)
    }

    fn signal(&mut self, scope: ScopeId, name: &str, kind: Kind, width: u32) -> Result<u32, WaveError> {
        self.take_name(Some(scope.0), name)?;
        self.signals.push(Signal { name: name.to_owned(), scope: scope.0, kind, width });
        Ok(index_u32(self.signals.len() - 1))
    }

    fn take_name(&mut self, scope: Option<u32>, name: &str) -> Result<(), WaveError> {
        check_identifier(name)?;
        if !self.taken.insert((scope, name.to_owned())) {
            return Err(WaveError::Name { name: name.to_owned(), reason: "declared twice in one scope" });
        }
        Ok(())
    }
}

/// Viewers split names at dots, brackets and blanks, so a name has none.
fn check_identifier(name: &str) -> Result<(), WaveError> {
    let mut bytes = name.bytes();
    let begins_well = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if !begins_well || !bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(WaveError::Name {
            name: name.to_owned(),
            reason: "a name is a letter or underscore, then letters, digits and underscores",
        });
    }
    if name.len() > NAME_LIMIT {
        return Err(WaveError::Name { name: name.to_owned(), reason: "longer than 256 characters" });
    }
    Ok(())
}

fn shape(name: &str, reason: &'static str) -> WaveError {
    WaveError::Shape { name: name.to_owned(), reason }
}

/// Ids are 32 bits wide; a layout with more signals than that would not fit in memory.
fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 declarations")
}
