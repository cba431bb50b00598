//! What a run expects of shared memory, and a board that has run before does not have.

use lsu_model::pins::{ClusterWindow, Inputs, Outputs, ServeRequest};
use lsu_model::preset::Preset;

use crate::engine::{Engine, EngineError};
use crate::interrupt;
use crate::program::SECTOR_BYTES;

/// Cycles in which a unit takes and answers a request of another CTA, at most, where nothing else happens.
const PATIENCE: u64 = 32;

/// Makes shared memory 0, as it is at power-up and no reset makes it: by writes of another CTA. A unit that does not take them is broken, which the
/// program will show.
///
/// # Errors
/// The board does not answer.
pub(crate) fn power_up(engine: &mut impl Engine, preset: &Preset) -> Result<(), EngineError> {
    let (mut inputs, mut outputs) = (Inputs::default(), Outputs::default());
    (inputs.reset, inputs.reset_memory) = (true, true);
    engine.step(&inputs, &mut outputs)?;
    (inputs.reset, inputs.reset_memory) = (false, false);
    inputs.serve_rsp_ready = true;
    inputs.windows.cluster = ClusterWindow { base: 0, size: preset.shared_bytes as u32 };
    let bytes = preset.shared_bytes as u64;
    let (mut asked, mut answered) = (0, 0);
    for _ in 0..bytes / SECTOR_BYTES * PATIENCE {
        if answered == bytes || interrupt::is_requested() {
            break;
        }
        inputs.serve_req_valid = asked < bytes;
        inputs.serve_req = ServeRequest { addr: asked, write: true, strb: u32::MAX, ..ServeRequest::default() };
        engine.step(&inputs, &mut outputs)?;
        asked += if inputs.serve_req_valid && outputs.serve_req_ready { SECTOR_BYTES } else { 0 };
        answered += if outputs.serve_rsp_valid { SECTOR_BYTES } else { 0 };
    }
    Ok(())
}
