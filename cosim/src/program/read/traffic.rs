//! How the surroundings behave.

use toml::Spanned;

use super::reader::Reader;
use super::values::{unknown, within};
use crate::program::file::{ErrorValue, File, LatencyValue};
use crate::program::{Breach, BreachKind, BreachPort, Latency, Mistake, TagPolicy, Traffic};

impl Reader<'_> {
    /// The addresses of `error = [...]`.
    pub(super) fn failing(&self, file: &File) -> Result<Vec<u64>, Mistake> {
        let Some(value) = file.traffic.as_ref().and_then(|table| table.error.as_ref()) else { return Ok(Vec::new()) };
        match value.get_ref() {
            ErrorValue::Percent(_) => Ok(Vec::new()),
            ErrorValue::Addresses(addresses) => {
                addresses.iter().map(|address| self.address(&Spanned::new(value.span(), *address))).collect()
            }
        }
    }
}

pub(super) fn traffic(file: &File) -> Result<Traffic, Mistake> {
    let latency = match file.memory_latency.as_ref().map(|latency| (latency.get_ref(), latency.span())) {
        None => Latency::default(),
        Some((LatencyValue::Word(word), _)) if word == "ideal" => Latency::Ideal,
        Some((LatencyValue::Range([least, most]), _))
            if (1..=100_000).contains(least) && (*least..=100_000).contains(most) =>
        {
            Latency::Between { least: *least as u32, most: *most as u32 }
        }
        Some((LatencyValue::Range(_), span)) => {
            return Err(Mistake::new(span, "the latency is not a range of cycles")
                .with_help("write [least, most] with 1 <= least <= most <= 100000"));
        }
        Some((LatencyValue::Word(word), span)) => {
            return Err(Mistake::new(span, format!("there is no latency {word:?}"))
                .with_help("write [least, most] or \"ideal\""));
        }
    };
    let default = Traffic::default();
    let mut traffic = Traffic {
        seed: file.seed.map_or(default.seed, |seed| seed as u64),
        latency,
        stall: if latency == Latency::Ideal { 0 } else { default.stall },
        ..default
    };
    if let Some(table) = &file.traffic {
        let percent = |value: &Option<Spanned<i64>>, most: i64, name: &str, otherwise: u8| match value {
            Some(value) => within(value, 0..=most, name).map(|percent| percent as u8),
            None => Ok(otherwise),
        };
        // At 100 % nothing would ever move.
        traffic.stall = percent(&table.stall, 95, "stall", traffic.stall)?;
        traffic.gap = percent(&table.gap, 95, "gap", traffic.gap)?;
        if let Some(value) = &table.error
            && let ErrorValue::Percent(error) = value.get_ref()
        {
            traffic.error = within(&Spanned::new(value.span(), *error), 0..=100, "error")? as u8;
        }
        traffic.wrong_tag = percent(&table.wrong_tag, 100, "wrong_tag", traffic.wrong_tag)?;
        traffic.jam = percent(&table.jam, 95, "jam", traffic.jam)?;
        traffic.strangers = percent(&table.strangers, 95, "strangers", traffic.strangers)?;
        if let Some(policy) = &table.tags {
            traffic.tags = tag_policy(policy)?;
        }
    }
    Ok(traffic)
}

pub(super) fn breach(file: &File) -> Result<Option<Breach>, Mistake> {
    let Some(table) = file.traffic.as_ref().and_then(|table| table.breach.as_ref()) else { return Ok(None) };
    let name = &table.kind;
    let kind = BreachKind::ALL.into_iter().find(|kind| kind.name() == name.get_ref()).ok_or_else(|| {
        unknown("breach", name, format!("kinds: {}", BreachKind::ALL.map(BreachKind::name).join(", ")))
    })?;
    let port = match &table.port {
        None => BreachPort::default(),
        Some(name) => BreachPort::ALL.into_iter().find(|port| port.name() == name.get_ref()).ok_or_else(|| {
            Mistake::new(name.span(), format!("there is no port {:?} with responses", name.get_ref()))
                .with_help(format!("ports: {}", BreachPort::ALL.map(BreachPort::name).join(", ")))
        })?,
    };
    let response = within(&table.response, 1..=i64::from(u32::MAX), "response")? as u32;
    Ok(Some(Breach { port, response, kind }))
}

fn tag_policy(name: &Spanned<String>) -> Result<TagPolicy, Mistake> {
    let policies = [TagPolicy::InOrder, TagPolicy::Scattered];
    policies
        .into_iter()
        .find(|policy| policy.name() == name.get_ref())
        .ok_or_else(|| unknown("order of tags", name, format!("tags: {}", policies.map(TagPolicy::name).join(", "))))
}
