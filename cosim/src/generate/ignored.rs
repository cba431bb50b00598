//! Anything at all on the request pins that an operation does not look at.

use lsu_model::micro_op::OpKind;
use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use crate::program::{constant_bank, may_be_shared};
use crate::random::Random;

/// Fills the fields of `request` that do not count for its operation, as the page of the ports lists them.
pub(super) fn fill(preset: &Preset, request: &mut Request, random: &mut Random) {
    let noise = noise(preset, random);
    let Request { cmd, sink, sign, dst_width, rd, bank, mode, ra_is_rz, shared_base, shared_size, .. } = noise;
    let unused = match may_be_shared(request) {
        true => *request,
        false => Request { shared_base, shared_size, ..*request },
    };
    *request = match OpKind::on_pin(request.op) {
        OpKind::Load if constant_bank(request).is_some() => {
            let Request {
                op, space, sem, cop, nc, size, vec, sink, sign, dst_width, rd, mask, addr, imm, wide, ..
            } = *request;
            Request { op, space, sem, cop, nc, size, vec, sink, sign, dst_width, rd, mask, addr, imm, wide, ..noise }
        }
        OpKind::Load => Request { cmd, bank, mode, ra_is_rz, ..unused },
        OpKind::Store => Request { cmd, sink, sign, dst_width, rd, bank, mode, ra_is_rz, ..unused },
        OpKind::Command => Request { op: request.op, cmd: request.cmd, ..noise },
        OpKind::Ldc => {
            // A register has 32 bits, or none if there is none, and an immediate 16.
            let unused = if request.ra_is_rz { u64::MAX } else { !u64::from(u32::MAX) };
            let mut addr = request.addr;
            for (address, noise) in addr.iter_mut().zip(noise.addr) {
                *address |= noise & unused;
            }
            let imm = request.imm | noise.imm << 16;
            let Request { op, size, sign, rd, mask, bank, mode, ra_is_rz, .. } = *request;
            Request { op, size, sign, rd, mask, bank, mode, ra_is_rz, addr, imm, ..noise }
        }
    };
}

/// A request of random bits.
fn noise(preset: &Preset, random: &mut Random) -> Request {
    let mut bits = random.next_bits();
    let mut field = |width: u32| {
        let value = bits & ((1 << width) - 1);
        bits >>= width;
        value as u8
    };
    let mut request = Request {
        cmd: field(2),
        space: field(3),
        sem: field(3),
        scope: field(2),
        cop: field(3),
        l1_evict: field(3),
        l2_evict: field(2),
        prefetch: field(2),
        policy_en: field(1) == 1,
        nc: field(1) == 1,
        size: field(3),
        vec: field(2),
        sink: field(8),
        sign: field(1) == 1,
        dst_width: field(2),
        rd: field(8),
        bank: field(5),
        mode: field(2),
        ra_is_rz: field(1) == 1,
        mask: random.next_bits() as u32 & preset.lane_mask(),
        policy: random.next_bits() >> 1,
        imm: random.next_bits() as u32,
        wide: random.next_bits() as u32 & preset.lane_mask(),
        shared_base: random.below(2 * preset.shared_bytes as u64) as u32,
        shared_size: random.below(2 * preset.shared_bytes as u64) as u32,
        ..Request::default()
    };
    let all = preset.address_mask();
    request.addr[..preset.lanes].fill_with(|| random.next_bits() & all);
    request
}
