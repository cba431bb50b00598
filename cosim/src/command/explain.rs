//! `explain`: one instruction, its legality, its micro-op, and in words what the unit will do.

use std::io::{self, IsTerminal as _};

use clap::Args;
use lsu_judge::explain::{Terms, explain as judge};
use lsu_model::ptx::Version;

use super::{CommandError, Status, dialect};
use crate::output;

/// Arguments of `explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArguments {
    /// PTX (`ld…`, `st…`), SASS (`LDC…`), or a SASS machine word in hexadecimal.
    pub instruction: String,
    /// PTX ISA version to judge for; the newest known by default.
    #[arg(long, default_value_t = Version::NEWEST.to_string())]
    pub ptx_version: String,
    /// Target to judge for, for SASS the architecture.
    #[arg(long, default_value = "sm_100")]
    pub target: String,
    /// Follow the documents to the letter instead of NVIDIA's assembler.
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Runs `explain`.
///
/// # Errors
/// The version or the target is none.
pub fn explain(arguments: &ExplainArguments) -> Result<Status, CommandError> {
    let terms = Terms {
        ptx_version: arguments.ptx_version.clone(),
        target: arguments.target.clone(),
        dialect: dialect(arguments.strict),
    };
    let text = &arguments.instruction;
    let explanation =
        judge(text, &terms).map_err(|term| CommandError::Usage { message: term.message, help: Some(term.help) })?;
    if arguments.json {
        output::print_line(explanation.json());
    } else {
        output::print(&explanation.in_words(text, io::stdout().is_terminal()));
    }
    Ok(explanation.outcome().into())
}
