//! The program file as it is written: keys, types and spans, nothing judged yet. Unknown keys are refused.

use std::collections::BTreeMap;

use serde::Deserialize;
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
pub(super) struct TrafficTable {
    pub stall: Option<Spanned<i64>>,
    pub gap: Option<Spanned<i64>>,
    pub error: Option<Spanned<ErrorValue>>,
    pub wrong_tag: Option<Spanned<i64>>,
    pub jam: Option<Spanned<i64>>,
    pub tags: Option<Spanned<String>>,
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
    #[serde(rename = "const_size")]
    pub constant_size: Option<Spanned<i64>>,
    pub param_size: Option<Spanned<i64>>,
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
    pub wait: Option<Spanned<WaitValue>>,
    #[serde(default)]
    pub expect: BTreeMap<String, Spanned<LaneValue>>,
    #[serde(default)]
    pub expect_any: BTreeMap<String, Spanned<Vec<NumberValue>>>,
    pub expect_fault: Option<Spanned<String>>,
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
#[serde(untagged, expecting = "expected true, false or \"all\"")]
pub(super) enum WaitValue {
    Flag(bool),
    Word(String),
}

/// A request in port encoding; what is left out is 0.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
pub(super) struct PinsTable {
    pub op: i64,
    pub cmd: i64,
    pub space: i64,
    pub sem: i64,
    pub scope: i64,
    pub cop: i64,
    pub l1_evict: i64,
    pub l2_evict: i64,
    pub prefetch: i64,
    pub policy_en: bool,
    pub policy: i64,
    pub nc: bool,
    pub size: i64,
    pub vec: i64,
    pub sink: i64,
    pub sign: bool,
    pub dst_width: i64,
    pub rd: i64,
    pub addr: Option<Spanned<LaneValue>>,
    pub data: Option<Spanned<Vec<Spanned<LaneValue>>>>,
    pub imm: i64,
    pub bank: i64,
    pub mode: i64,
    pub ra_is_rz: bool,
}
