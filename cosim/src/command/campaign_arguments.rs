//! What `lsu check` and `lsu cover` have in common: which programs are run, on how many threads, and where what they find is kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lsu_model::preset::WARP32;

use crate::campaign::{Campaign, Findings, Verb};
use crate::check::{Extent, Shard};
use crate::command_line::VERSION;
use crate::input_file;
use crate::verilator::sha256;
use crate::verilator::verilog_text::first_word;

use super::replace_file::folder_of;
use super::{CommandError, EngineArguments, findings_file};

/// How often what has been found until then is written to the file of `--results`.
pub(super) const WRITTEN_EVERY: Duration = Duration::from_secs(2);

/// Arguments of both; how many programs there are is each one's own.
#[derive(Clone, Debug, clap::Args)]
pub struct CampaignArguments {
    /// Run random programs for this long instead.
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub(super) seconds: Option<u64>,
    /// Threads [default: one for each processor].
    #[arg(long, value_name = "J", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,
    /// Seed of the random programs.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    pub(super) seed: u64,
    /// Run only part I of N of the cases.
    #[arg(long, value_name = "I/N", value_parser = clap::value_parser!(Shard), default_value = "1/1")]
    pub(super) shard: Shard,
    /// Keep in this file what has been found, and go on from what it holds.
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
    /// Where to save a failing program.
    #[arg(long, value_name = "DIR", default_value = "lsu-repro")]
    pub(super) repro_dir: PathBuf,
}

impl CampaignArguments {
    /// How much is run: so many cases, unless a time is given.
    pub(super) fn extent(&self, cases: u64) -> Extent {
        self.seconds.map_or(Extent::Cases(cases), |seconds| Extent::Time(Duration::from_secs(seconds)))
    }

    /// What is run, and would have to be the same for two shards to belong together.
    ///
    /// # Errors
    /// The shard has nothing to do, or the Verilog cannot be read.
    pub(super) fn campaign(
        &self,
        command: Verb,
        engines: &EngineArguments,
        extent: Extent,
    ) -> Result<Campaign, CommandError> {
        let Self { seed, shard, .. } = *self;
        let cases_asked = match extent {
            Extent::Cases(cases) => Some(cases),
            Extent::Time(_) => None,
        };
        if let Some(cases) = cases_asked.filter(|cases| shard.cases(*cases) == 0) {
            return Err(CommandError::Usage {
                message: format!("shard {shard} gets none of {cases} cases: nothing would be checked"),
                help: Some("give more cases, or make fewer shards".to_owned()),
            });
        }
        let mut kinds = engines.engine.clone();
        kinds.sort_unstable();
        let dut = engines.dut.as_ref().map(|path| checksum(path, self.results.is_some())).transpose()?;
        Ok(Campaign {
            command,
            preset: engines.preset.unwrap_or(WARP32).name.to_owned(),
            version: VERSION.to_owned(),
            seed,
            cases_asked,
            engines: kinds.iter().map(|kind| kind.option().to_owned()).collect(),
            dut,
        })
    }

    /// What the file of `--results` holds of an earlier run of this shard of `campaign`.
    ///
    /// # Errors
    /// It is something else, or cannot be read.
    pub(super) fn earlier(&self, campaign: &Campaign) -> Result<Option<Findings>, CommandError> {
        let Some(path) = &self.results else { return Ok(None) };
        let before = findings_file::read(path)?;
        // Better said now than when all cases have been run.
        let folder = folder_of(path);
        if before.is_none() && !folder.is_dir() {
            return Err(CommandError::Usage {
                message: format!("cannot write {}: there is no folder {}", path.display(), folder.display()),
                help: None,
            });
        }
        match before.as_ref().map(|before| before.are_of(campaign, self.shard)) {
            Some(Err(unlike)) => Err(CommandError::Usage {
                message: format!("{} holds what another check has found: {unlike}", path.display()),
                help: Some("name another file, or remove this one".to_owned()),
            }),
            _ => Ok(before),
        }
    }
}

/// Reads a seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a number from 0 to {}", u64::MAX))
}

/// Reads a number of cases or seconds.
pub(super) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("nothing would be checked; write a number from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("write a number from 1 to {}", u64::MAX)),
    }
}

/// What tells the Verilog in `path` from other Verilog. If results are kept by it, the file has to be all of the Verilog: what it includes, or
/// reads while it runs, may be another in the next run.
///
/// # Errors
/// It cannot be read, or is not all.
fn checksum(path: &Path, is_kept: bool) -> Result<String, CommandError> {
    let bytes = input_file::read(path, input_file::LARGEST).map_err(|error| CommandError::Usage {
        message: format!("cannot read {}: {error}", path.display()),
        help: None,
    })?;
    let text = String::from_utf8_lossy(&bytes);
    match first_word(&text, &["`include", "$readmem", "$fopen"]) {
        Some((_, word)) if is_kept => Err(CommandError::Usage {
            message: format!(
                "{} reads other files (`{word}`): --results could not tell whether it is the same Verilog in the next run",
                path.display()
            ),
            help: Some("put all of the Verilog into one file, or leave --results out".to_owned()),
        }),
        _ => Ok(sha256(&bytes)),
    }
}

/// What is left of `extent` after the earlier run.
pub(super) fn rest(extent: Extent, before: Option<&Findings>) -> Extent {
    let seconds = before.map_or(0.0, |before| before.seconds);
    match extent {
        Extent::Cases(_) => extent,
        Extent::Time(time) => {
            let spent = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
            Extent::Time(time.saturating_sub(spent))
        }
    }
}
