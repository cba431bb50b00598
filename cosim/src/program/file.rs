//! The program file as it is written: keys, types and spans, nothing judged yet. Unknown keys are refused.

use std::collections::BTreeMap;
use std::fmt;

use lsu_model::pins::{Bundle, Pin, Request, Width};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub preset: Option<Spanned<String>>,
    pub ptx_version: Option<Spanned<String>>,
    pub target: Option<Spanned<String>>,
    pub sms: Option<Spanned<i64>>,
    pub seed: Option<i64>,
    pub memory_latency: Option<Spanned<LatencyValue>>,
    pub mode: Option<Spanned<String>>,
    pub traffic: Option<TrafficTable>,
    #[serde(default)]
    pub reset: Vec<ResetTable>,
    #[serde(default)]
    pub memory: Vec<Spanned<MemoryTable>>,
    #[serde(default)]
    pub bank: Vec<Spanned<BankTable>>,
    pub window: Option<WindowTable>,
    #[serde(default)]
    pub op: Vec<Spanned<OpTable>>,
    #[serde(default)]
    pub dump: Vec<Spanned<MemoryTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected two numbers of cycles, such as [20, 60], or \"ideal\"")]
pub(super) enum LatencyValue {
    Range([i64; 2]),
    Word(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResetTable {
    pub cycle: Spanned<i64>,
    pub memory: Option<bool>,
    pub banks: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrafficTable {
    pub stall: Option<Spanned<i64>>,
    pub gap: Option<Spanned<i64>>,
    pub error: Option<Spanned<ErrorValue>>,
    pub wrong_tag: Option<Spanned<i64>>,
    pub jam: Option<Spanned<i64>>,
    pub strangers: Option<Spanned<i64>>,
    pub tags: Option<Spanned<String>>,
    pub breach: Option<BreachTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BreachTable {
    pub port: Option<Spanned<String>>,
    pub response: Spanned<i64>,
    pub kind: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a percentage, or a list of addresses whose sectors fail")]
pub(super) enum ErrorValue {
    Percent(i64),
    Addresses(Vec<i64>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryTable {
    pub space: Spanned<String>,
    pub address: Spanned<i64>,
    pub words: Option<Spanned<Vec<i64>>>,
    pub pattern: Option<Spanned<String>>,
    pub bytes: Option<Spanned<i64>>,
    pub sm: Option<Spanned<i64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BankTable {
    pub index: Spanned<i64>,
    pub size: Spanned<i64>,
    pub base: Option<Spanned<i64>>,
    pub words: Option<Spanned<Vec<i64>>>,
    pub pattern: Option<Spanned<String>>,
    pub valid: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WindowTable {
    pub shared: Option<Spanned<i64>>,
    pub local: Option<Spanned<i64>>,
    #[serde(rename = "const")]
    pub constant: Option<Spanned<i64>>,
    pub param: Option<Spanned<i64>>,
    pub shared_size: Option<Spanned<i64>>,
    pub local_size: Option<Spanned<i64>>,
    pub local_memory: Option<Spanned<i64>>,
    #[serde(rename = "const_size")]
    pub constant_size: Option<Spanned<i64>>,
    pub param_size: Option<Spanned<i64>>,
    pub param_offset: Option<Spanned<i64>>,
    pub cluster: Option<Spanned<i64>>,
    pub cluster_size: Option<Spanned<i64>>,
    pub rank: Option<Spanned<i64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpTable {
    pub sm: Option<Spanned<i64>>,
    pub warp: Option<Spanned<i64>>,
    pub mask: Option<Spanned<i64>>,
    pub instr: Option<Spanned<String>>,
    pub command: Option<Spanned<String>>,
    pub pins: Option<Spanned<PinsTable>>,
    #[serde(default)]
    pub regs: BTreeMap<String, Spanned<LaneValue>>,
    pub rd: Option<Spanned<i64>>,
    pub shared_base: Option<Spanned<i64>>,
    pub shared_size: Option<Spanned<i64>>,
    pub wait: Option<Spanned<WaitValue>>,
    #[serde(default)]
    pub expect: BTreeMap<String, Spanned<LaneValue>>,
    #[serde(default)]
    pub expect_any: BTreeMap<String, Spanned<Vec<NumberValue>>>,
    pub expect_fault: Option<Spanned<String>>,
    pub change: Option<ChangeTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeTable {
    pub mode: Option<Spanned<String>>,
    pub shared: Option<Spanned<i64>>,
    pub shared_size: Option<Spanned<i64>>,
    pub local: Option<Spanned<i64>>,
    #[serde(rename = "const")]
    pub constant: Option<Spanned<i64>>,
    #[serde(rename = "const_size")]
    pub constant_size: Option<Spanned<i64>>,
    pub param: Option<Spanned<i64>>,
    pub param_size: Option<Spanned<i64>>,
    pub param_offset: Option<Spanned<i64>>,
    #[serde(default)]
    pub banks: Vec<ChangedBankTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangedBankTable {
    pub index: Spanned<i64>,
    pub base: Spanned<i64>,
    pub size: Spanned<i64>,
    pub valid: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected an integer, a list of integers (one for each lane) or an expression in lane")]
pub(super) enum LaneValue {
    Integer(i64),
    List(Vec<NumberValue>),
    Expression(String),
}

/// One value of a list: TOML's integers end at 2^63 - 1, larger ones are expressions.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected an integer or an expression in quotes")]
pub(super) enum NumberValue {
    Integer(i64),
    Expression(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected true, false, \"unit\" or \"all\"")]
pub(super) enum WaitValue {
    Flag(bool),
    Word(String),
}

/// A request in port encoding; what is left out is 0.
#[derive(Debug, Default)]
pub(super) struct PinsTable {
    /// Numbers and flags, by the index of their pin in [`Request::PINS`].
    pub values: BTreeMap<usize, PinValue>,
    pub addr: Option<Spanned<LaneValue>>,
    pub data: Option<Spanned<Vec<Spanned<LaneValue>>>>,
}

/// What is given for one pin.
#[derive(Clone, Copy, Debug)]
pub(super) enum PinValue {
    Number(i64),
    Flag(bool),
}

/// A key of a `pins` table.
enum PinKey {
    Pin(usize),
    Addresses,
    Data,
}

/// The pins of a request that a file can name: the tag is given by the driver; mask and warp stand beside the pins.
pub(super) fn is_named(pin: &Pin) -> bool {
    !matches!(pin.name, "req_tag" | "req_mask" | "req_warp")
}

impl<'de> Deserialize<'de> for PinKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        match Request::PINS.iter().position(|pin| is_named(pin) && pin.field() == key) {
            _ if key == "data" => Ok(Self::Data),
            Some(pin) if Request::PINS[pin].width == Width::LaneAddresses => Ok(Self::Addresses),
            Some(pin) => Ok(Self::Pin(pin)),
            None => {
                let names = Request::PINS.iter().filter(|pin| is_named(pin)).map(Pin::field).chain(["data"]);
                let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                Err(D::Error::custom(format!("unknown field `{key}`, expected one of {}", names.join(", "))))
            }
        }
    }
}

impl<'de> Deserialize<'de> for PinsTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = PinsTable;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a table of pins")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PinsTable, A::Error> {
                let mut table = PinsTable::default();
                while let Some(key) = map.next_key()? {
                    match key {
                        PinKey::Addresses => table.addr = Some(map.next_value()?),
                        PinKey::Data => table.data = Some(map.next_value()?),
                        PinKey::Pin(pin) => {
                            let is_flag = Request::PINS[pin].width == Width::Bits(1);
                            let value = match is_flag {
                                true => PinValue::Flag(map.next_value()?),
                                false => PinValue::Number(map.next_value()?),
                            };
                            table.values.insert(pin, value);
                        }
                    }
                }
                Ok(table)
            }
        }

        deserializer.deserialize_map(Entries)
    }
}
