//! The edge of the front: `intake`, `check`, `issue` and `merge`.

use super::Global;
use super::flow::Flow;
use super::pass::Pass;
use super::rows::SectorData;
use super::shape::Kind;
use crate::golden::constant::BankTable;
use crate::golden::counts::{Counts, count};
use crate::pins::Inputs;

impl Global {
    /// `merge`, `issue`, `check` and `intake`.
    pub(super) fn advance_front(&mut self, flow: &Flow, inputs: &Inputs, counts: &mut Counts) {
        if let Some(merging) = self.merge.get_mut() {
            merging.merge(&self.store_data);
            if flow.merge_moves {
                let tagged = self.tag.end().fill();
                tagged.pass = merging.pass;
                tagged.need = tagged.pass.need();
                if merging.pass.shared {
                    tagged.words.clone_from(&merging.words);
                } else {
                    tagged.sector = merging.sector;
                }
                self.merge.clear();
            }
        }
        if flow.takes_data && inputs.wdata_valid {
            self.store_data.take(&inputs.wdata.data);
            if self.issue.get().is_some_and(|store| store.shape.tag != inputs.wdata.tag) {
                counts.status.wdata_wrong_tag = true;
            }
        }
        if flow.issue_sends {
            self.issue_next(counts);
        }
        if flow.check_moves {
            self.check.hand_to(&mut self.issue);
            self.store_data.taken = 0;
        }
        if flow.intake_moves {
            self.intake.move_to(self.check.end());
        }
    }

    /// The request on the pins enters `intake`, if it is accepted.
    pub(super) fn accept(&mut self, accepted: Option<&BankTable>, inputs: &Inputs, counts: &mut Counts) {
        if let Some(table) = accepted {
            self.intake.fill().decode(inputs, table, &self.preset, &mut counts.near);
        }
    }

    /// `issue` hands its command or its next pass on.
    fn issue_next(&mut self, counts: &mut Counts) {
        let Some(operation) = self.issue.get_mut() else { return };
        let shape = operation.shape;
        if !matches!(shape.kind, Kind::Command(_)) {
            count(&mut counts.status.wavefronts, 1);
            count(&mut counts.status.replays, u32::from(!operation.is_whole));
            count(&mut counts.accounts.of(shape.tag).wavefronts, 1);
            operation.near_lanes(&mut counts.near);
        }
        if shape.is_store() {
            let merging = self.merge.fill();
            operation.issue(&mut merging.pass);
            merging.merged = 0;
            if merging.pass.shared {
                merging.addresses = operation.shared_addresses();
                merging.words.clear();
            } else {
                merging.sector = SectorData::default();
            }
        } else if operation.is_on_shared_pass() {
            let banked = self.bank.end().fill();
            banked.addresses = operation.shared_addresses();
            banked.words = operation.shared_words();
            let mut pass = Pass::default();
            operation.issue(&mut pass);
            banked.readable.put(&pass);
        } else {
            let tagged = self.tag.end().fill();
            operation.issue(&mut tagged.pass);
            tagged.need = tagged.pass.need();
        }
        if operation.unserved == 0 {
            self.issue.clear();
        }
    }
}
