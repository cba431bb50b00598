//! What every part of a file is read by: its text, and what it says of itself at first.

use std::ops::Range;

use lsu_model::preset::{self, Preset};
use lsu_model::{ptx, sass};
use toml::Spanned;

use super::values::{unknown, within};
use crate::program::file::{File, LaneValue, NumberValue};
use crate::program::request::bits32;
use crate::program::{DEFAULT_TARGET, Mistake, evaluate};

/// Units that one memory side can serve.
pub const MOST_SMS: i64 = 64;

/// What the command line says instead of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// The preset to use.
    pub preset: Option<Preset>,
}

/// The reader of one file.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) preset: Preset,
    pub(super) ptx_version: Option<String>,
    pub(super) target: String,
    pub(super) sms: u32,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, overrides: Overrides, file: &File) -> Result<Self, Mistake> {
        let preset = match (&overrides.preset, &file.preset) {
            (Some(preset), _) => *preset,
            (None, Some(name)) => Preset::named(name.get_ref()).ok_or_else(|| {
                unknown("preset", name, format!("presets: {}", preset::ALL.map(|preset| preset.name).join(", ")))
            })?,
            (None, None) => preset::ALL[0],
        };
        let target = match &file.target {
            Some(target) => {
                let name = target.get_ref();
                if sass::Architecture::parse(name).is_none() && ptx::Target::parse(name).is_none() {
                    return Err(unknown("target", target, "write sm_50 to sm_121, for example sm_100"));
                }
                name.clone()
            }
            None => DEFAULT_TARGET.to_owned(),
        };
        let sms = match &file.sms {
            Some(sms) => within(sms, 1..=MOST_SMS, "sms")? as u32,
            None => 1,
        };
        let ptx_version = file.ptx_version.as_ref().map(ptx_version).transpose()?;
        Ok(Self { text, preset, ptx_version, target, sms })
    }

    /// An address within the preset's width.
    pub(super) fn address(&self, value: &Spanned<i64>) -> Result<u64, Mistake> {
        let bits = self.preset.address_bits;
        let unsigned = *value.get_ref() as u64;
        if *value.get_ref() < 0 || unsigned >> bits != 0 {
            let message = format!("an address of preset {} has {bits} bits", self.preset.name);
            return Err(
                Mistake::new(value.span(), message).with_help(format!("write 0 to {:#x}", u64::MAX >> (64 - bits)))
            );
        }
        Ok(unsigned)
    }

    pub(super) fn lane_values(&self, value: &Spanned<LaneValue>) -> Result<Vec<i128>, Mistake> {
        let lanes = self.preset.lanes;
        match value.get_ref() {
            LaneValue::Integer(integer) => Ok(vec![i128::from(*integer); lanes]),
            LaneValue::List(list) if list.len() == lanes => {
                list.iter().enumerate().map(|(lane, number)| Ok(self.number(number, value.span())?[lane])).collect()
            }
            LaneValue::List(list) => {
                let message =
                    format!("the list has {} values, preset {} has {lanes} lanes", list.len(), self.preset.name);
                Err(Mistake::new(value.span(), message).with_help("give one integer, or an expression in lane"))
            }
            LaneValue::Expression(text) => self.expression(text, value.span()),
        }
    }

    /// The values of an expression in every lane; its string is the value at `place`, or within it.
    fn expression(&self, text: &str, place: Range<usize>) -> Result<Vec<i128>, Mistake> {
        evaluate(text, self.preset.lanes).map_err(|error| {
            let span = self.inside(place, text, error.offset..error.offset + 1);
            Mistake::new(span, error.message)
                .with_help("an expression has integers, lane, ( ) and + - * / % << >> & ^ |")
        })
    }

    /// One value of the list at `place`, as it is in every lane.
    pub(super) fn number(&self, number: &NumberValue, place: Range<usize>) -> Result<Vec<i128>, Mistake> {
        match number {
            NumberValue::Integer(integer) => Ok(vec![i128::from(*integer); self.preset.lanes]),
            NumberValue::Expression(text) => self.expression(text, place),
        }
    }

    /// One value of the list at `place`, which must be the same in every lane.
    pub(super) fn common_number(&self, number: &NumberValue, place: Range<usize>) -> Result<i128, Mistake> {
        let lanes = self.number(number, place.clone())?;
        match lanes.iter().all(|value| *value == lanes[0]) {
            true => Ok(lanes[0]),
            false => Err(Mistake::new(place, "a value of expect_any is not the same in every lane")
                .with_help("any lane may hold any of the values; leave lane out of them")),
        }
    }

    pub(super) fn lane_bits(&self, name: &str, value: &Spanned<LaneValue>) -> Result<Vec<u32>, Mistake> {
        let bits = |(lane, value): (usize, i128)| bits32(name, lane, value);
        self.lane_values(value)?
            .into_iter()
            .enumerate()
            .map(bits)
            .collect::<Result<_, _>>()
            .map_err(|message| Mistake::new(value.span(), message))
    }

    /// The bytes of the file that hold `part` of `text`, itself the string value at `outer`; `outer` where the string
    /// is written with escapes.
    pub(super) fn inside(&self, outer: Range<usize>, text: &str, part: Range<usize>) -> Range<usize> {
        let raw = self.text.get(outer.clone()).unwrap_or_default();
        match raw.find(text) {
            Some(start) => {
                let begin = (outer.start + start + part.start).min(outer.end);
                begin..(outer.start + start + part.end).clamp(begin, outer.end)
            }
            None => outer,
        }
    }
}

fn ptx_version(version: &Spanned<String>) -> Result<String, Mistake> {
    match ptx::Version::parse(version.get_ref()) {
        Some(_) => Ok(version.get_ref().clone()),
        None => {
            let message = format!("{:?} is no PTX version that is known", version.get_ref());
            Err(Mistake::new(version.span(), message)
                .with_help(format!("write it as \"8.8\"; the newest is \"{}\"", ptx::Version::NEWEST)))
        }
    }
}
