//! Which operation a request to memory, or to another unit, belongs to. The port does not say it, so it is named only where there is one answer.

use lsu_model::micro_op::OpKind;
use lsu_model::pins::{ClusterRequest, MemoryRequest};

use crate::program::{
    LocalMemory, LocalPlace, Program, SECTOR_BYTES, SharedPlace, constant_bank, local_place, shared_place,
};

/// The operation of `in_flight` that `memory` serves: the only one there is, or the only one of its direction with an
/// active lane in its sector. `None` where several could be meant. (Of local memory a store, too, only reads: what it
/// stores is written back later, for nobody.)
pub fn owner(
    program: &Program,
    in_flight: impl Iterator<Item = usize> + Clone,
    memory: &MemoryRequest,
) -> Option<usize> {
    let touching = in_flight.clone().filter(|op| touches(program, *op, memory));
    only(in_flight).or_else(|| only(touching))
}

/// The same for a request to another unit.
pub fn remote_owner(
    program: &Program,
    in_flight: impl Iterator<Item = usize> + Clone,
    remote: &ClusterRequest,
) -> Option<usize> {
    let asks = in_flight.clone().filter(|op| asks(program, *op, remote));
    only(in_flight).or_else(|| only(asks))
}

/// Whether the operation `op` may have caused `remote`: no access of shared memory has more bytes than a sector, or lies across two.
fn asks(program: &Program, op: usize, remote: &ClusterRequest) -> bool {
    let (request, windows) = (&program.ops[op].request, program.windows_at(op));
    let is_kind = match OpKind::on_pin(request.op) {
        OpKind::Load => !remote.write,
        OpKind::Store => remote.write,
        OpKind::Ldc | OpKind::Command => false,
    };
    let place = |lane| shared_place(&program.preset, &windows, request, lane);
    let mut active = (0..program.preset.lanes).filter(|lane| request.mask >> lane & 1 == 1);
    is_kind
        && active.any(|lane| match place(lane) {
            Some(SharedPlace::Remote { rank, offset }) => {
                rank == remote.rank && u64::from(offset) / SECTOR_BYTES == remote.addr / SECTOR_BYTES
            }
            _ => false,
        })
}

/// The only item; `None` where there are none or several.
pub fn only(mut items: impl Iterator<Item = usize>) -> Option<usize> {
    items.next().filter(|_| items.next().is_none())
}

/// Whether the operation `op` may have caused `memory`.
fn touches(program: &Program, op: usize, memory: &MemoryRequest) -> bool {
    let (operation, windows) = (&program.ops[op], program.windows_at(op));
    let request = &operation.request;
    let kind = OpKind::on_pin(request.op);
    match kind {
        // Where its bank lies is not in the request.
        OpKind::Ldc => !memory.write,
        OpKind::Load if constant_bank(request).is_some() => !memory.write,
        OpKind::Load | OpKind::Store => {
            let is_global_kind = (kind == OpKind::Store) == memory.write;
            let addresses = program.preset.address_mask();
            let bytes = 1_u64 << (request.size.min(4) + request.vec);
            let first_sector = memory.addr / SECTOR_BYTES;
            let local = LocalMemory::new(&program.preset, &windows);
            let asks = |lane: &usize| {
                // What lies in shared memory asks no memory.
                let place = shared_place(&program.preset, &windows, request, *lane);
                request.mask >> lane & 1 == 1 && place.is_none()
            };
            (0..program.preset.lanes).filter(asks).any(|lane| {
                match local_place(&program.preset, &windows, request, lane) {
                    None => {
                        let address = request.addr[lane].wrapping_add_signed(i64::from(request.imm as i32)) & addresses;
                        let sectors = address / SECTOR_BYTES..=(address + bytes - 1) / SECTOR_BYTES;
                        is_global_kind && sectors.contains(&first_sector)
                    }
                    Some(LocalPlace::At(offset)) => {
                        let slot = program.slot(operation.warp);
                        let mut words = (0..bytes).step_by(4);
                        !memory.write
                            && words.any(|word| local.address(slot, lane, offset + word) / SECTOR_BYTES == first_sector)
                    }
                    Some(LocalPlace::Beyond) => false,
                }
            })
        }
        OpKind::Command => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Overrides, read};

    #[test]
    fn a_request_is_named_only_where_one_operation_can_be_meant() {
        let program = read(
            r#"
            preset = "fpga8"
            [[op]]
            mask = 0x80
            instr = "ld.global.u32 %r1, [%rd1+-32];"
            regs = { "%rd1" = [0, 0, 0, 0, 0, 0, 0, 0x1040] }
            [[op]]
            instr = "ld.global.v8.u32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1];"
            regs = { "%rd1" = "0x2000 + 32*lane" }
            [[op]]
            instr = "st.global.u32 [%rd1], 5;"
            regs = { "%rd1" = 0x1020 }
            [[op]]
            instr = "ld.u32 %r1, [%rd1];"
            regs = { "%rd1" = "0xfbffffe0 + 8*lane" }
            [[op]]
            warp = 1
            instr = "ld.local.u64 %rd2, [%rd1];"
            regs = { "%rd1" = 8 }
            [[op]]
            instr = "ld.shared::cluster.u32 %r1, [%rd1];"
            regs = { "%rd1" = "0x4000020 + 4*lane" }
            [[op]]
            instr = "st.shared::cluster.u32 [%rd1], 5;"
            regs = { "%rd1" = "lane * 0x1000000" }
            [[op]]
            warp = 1
            instr = "st.local.u32 [%rd1], 5;"
            regs = { "%rd1" = 8 }
            "#,
            "owner.toml",
            Overrides::default(),
        )
        .expect("a right file");
        let of = |ops: &[usize], write, addr| {
            owner(&program, ops.iter().copied(), &MemoryRequest { write, addr, ..MemoryRequest::default() })
        };
        assert_eq!(of(&[0, 1, 2], false, 0x1020), Some(0));
        assert_eq!(of(&[0, 1, 2], true, 0x1020), Some(2));
        assert_eq!(of(&[0, 1, 2], false, 0x20e0), Some(1));
        assert_eq!(of(&[0, 1, 2], false, 0x1000), None);
        // Lanes 4 to 7 lie in shared memory.
        assert_eq!(of(&[0, 3], false, 0xfbff_ffe0), Some(3));
        assert_eq!(of(&[0, 3], false, 0xfc00_0000), None);
        // Words 2 and 3 of slot 1.
        assert_eq!(of(&[0, 4], false, 0xe000_0220), Some(4));
        assert_eq!(of(&[0, 4], false, 0xe000_0320), Some(4));
        assert_eq!(of(&[0, 4], false, 0xe000_0120), None);
        // A local store reads the rest of its sector, and does not write.
        assert_eq!([of(&[0, 7], false, 0xe000_0220), of(&[0, 7], true, 0xe000_0220)], [Some(7), None]);
        // Another unit.
        let of_unit = |ops: &[usize], write, rank, addr| {
            let remote = ClusterRequest { write, rank, addr, ..ClusterRequest::default() };
            remote_owner(&program, ops.iter().copied(), &remote)
        };
        assert_eq!(of_unit(&[0, 5, 6], false, 4, 0x20), Some(5));
        assert_eq!([of_unit(&[0, 5, 6], true, 4, 0x20), of_unit(&[0, 5, 6], false, 4, 0x40)], [None, None]);
        assert_eq!([of_unit(&[0, 5, 6], true, 7, 0), of_unit(&[0, 5, 6], true, 0, 0)], [Some(6), None]);
        assert_eq!(of(&[5, 2], false, 0x400_0020), None);
        // A request that nothing in flight explains belongs to the only operation there is.
        assert_eq!(of(&[1], true, 0x4000), Some(1));
        assert_eq!(of(&[], false, 0x1020), None);
    }
}
