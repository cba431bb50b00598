//! The report of a failure: first line, fields, last transactions, program, files, and how to replay it.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::engine::{EngineError, EngineSource};
use crate::lockstep::{self, FailureKind};
use crate::program::{describe, write};
use crate::shrink::Failing;
use crate::transactions::{Transaction, TransactionRing};

/// Fields that a report lists before it says how many more differ.
const FIELDS_SHOWN: usize = 40;

/// The last transactions before the failure of `failing`.
///
/// # Errors
/// An engine cannot be made or cannot go on.
pub fn transactions(failing: &Failing, source: &dyn EngineSource) -> Result<Vec<Transaction>, EngineError> {
    let mut ring = TransactionRing::new(&failing.program);
    lockstep::run(&failing.program, source, &mut ring)?;
    Ok(ring.into_transactions())
}

/// What stands in a report besides the failure itself.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The last transactions before the failure.
    pub transactions: Vec<Transaction>,
    /// Operations of the program before it was shrunk; `None` where it was not.
    pub shrunk_from: Option<usize>,
    /// Where the program is saved.
    pub saved_at: Option<PathBuf>,
    /// Waves.
    pub waves: Vec<PathBuf>,
    /// Views of the waves, for GTKWave and Surfer.
    pub views: Vec<PathBuf>,
    /// The command that replays the failure.
    pub replay: Option<String>,
}

/// The report as text.
pub fn render(failing: &Failing, surroundings: &Surroundings) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut text, failing, surroundings);
    text
}

/// The waves and their views, a line each.
pub fn files(surroundings: &Surroundings) -> String {
    let line = |what: &str, path: &PathBuf| format!("{what}: {}\n", path.display());
    let waves = surroundings.waves.iter().map(|path| line("waves", path));
    waves.chain(surroundings.views.iter().map(|path| line("view", path))).collect()
}

fn write_report(out: &mut String, failing: &Failing, surroundings: &Surroundings) -> std::fmt::Result {
    let Failing { program, failure } = failing;
    writeln!(out, "{failure}")?;
    if let FailureKind::Mismatch { expected_by, found_by, differences } = &failure.kind {
        writeln!(out, "\nfields that differ:")?;
        for difference in differences.iter().take(FIELDS_SHOWN) {
            writeln!(out, "  {:<28} {}", difference.place(), difference.values(found_by, expected_by))?;
        }
        if differences.len() > FIELDS_SHOWN {
            writeln!(out, "  and {} more", differences.len() - FIELDS_SHOWN)?;
        }
    }
    if let FailureKind::Assertion { messages, .. } = &failure.kind
        && let Some((_, others)) = messages.split_first()
        && !others.is_empty()
    {
        writeln!(out, "\nin the same cycle:")?;
        others.iter().try_for_each(|message| writeln!(out, "  {message}"))?;
    }
    if !surroundings.transactions.is_empty() {
        writeln!(out, "\nlast transactions, those of the guilty operation marked:")?;
        for transaction in &surroundings.transactions {
            let is_guilty = failure.op.is_some() && transaction.op == failure.op && transaction.sm == failure.sm;
            let mark = if is_guilty { '>' } else { ' ' };
            let sm = if program.sms > 1 { format!(" sm {}", transaction.sm) } else { String::new() };
            writeln!(out, "{mark} {:>7}{sm} {}", transaction.cycle, transaction.text)?;
        }
    }
    let op = failure.op.map_or(String::new(), |op| format!(", {}", describe(program, op)));
    writeln!(out, "> {:>7} {}{op}", failure.cycle, failure.place())?;
    match surroundings.shrunk_from {
        Some(from) => writeln!(out, "\nprogram, shrunk from {from} operations to {}:", program.ops.len())?,
        None => writeln!(out, "\nprogram:")?,
    }
    for line in write(program).lines() {
        match line {
            "" => writeln!(out)?,
            line => writeln!(out, "  {line}")?,
        }
    }
    writeln!(out)?;
    if let Some(path) = &surroundings.saved_at {
        writeln!(out, "saved: {}", path.display())?;
    }
    out.push_str(&files(surroundings));
    if let Some(command) = &surroundings.replay {
        writeln!(out, "replay: {command}")?;
    }
    Ok(())
}
