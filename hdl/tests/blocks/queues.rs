//! The queue of two passes, that of stores, and the fault register.

use std::collections::VecDeque;

use lsu_hdl::preset::tiny4::unit::fault_register::FaultRegister;
use lsu_hdl::preset::tiny4::unit::global::local_line::LocalLine;
use lsu_hdl::preset::tiny4::unit::global::operation::{Operation, RequestAttributes, RowPass};
use lsu_hdl::preset::tiny4::unit::global::pass_queue::PassQueue;
use lsu_hdl::preset::tiny4::unit::global::store_port::StorePort;
use lsu_hdl::preset::tiny4::unit::results::FaultRecord;
use lsu_hdl::preset::tiny4::unit::sizes::{L1_SET_BITS, LANES, LINE, LOCAL_LINE, ROW_BITS};
use proptest::prelude::*;
use rust_hdl::prelude::{Bits, Block};

use crate::{Draw, after_reset, config, cycles, edge, settle, settled};

fn operation(draw: &mut Draw) -> Operation {
    let (tag, rd, is_store, cop, policy) = (draw.bits(), draw.bits(), draw.bit(), draw.bits(), draw.bits());
    let (sem, scope, l2_evict, prefetch, policy_en) = (draw.bits(), draw.bits(), draw.bits(), draw.bits(), draw.bit());
    let operation = Operation { tag, rd, is_store, cop, sem, scope, ..Operation::default() };
    Operation { l2_evict, prefetch, policy_en, policy, ..operation }
}

/// The number in memory of a line by the number that the unit knows it by.
fn in_memory(line: u64) -> u64 {
    let number = line & ((1 << LOCAL_LINE) - 1);
    let sets = 1_u64 << L1_SET_BITS;
    if line >> LOCAL_LINE == 1 { number ^ (number / sets % sets) } else { number }
}

proptest! {
    #![proptest_config(config())]

    /// A pass comes only while there is room and leaves only when it is there.
    #[test]
    fn pass_queue(cycles in cycles(60)) {
        let mut block = after_reset!(PassQueue);
        // In the cycle after a reset it takes nothing.
        settled!(block);
        edge!(block);
        let mut queue: VecDeque<(RowPass, [Bits<7>; LANES])> = VecDeque::new();
        for draw in cycles {
            let mut draw = Draw(draw);
            let pass = RowPass {
                operation: operation(&mut draw),
                lanes: draw.bits(),
                row: draw.bits::<ROW_BITS>(),
                sectors: draw.bits(),
                line: draw.bits::<LINE>(),
                failed: draw.bits(),
            };
            let offset: [Bits<7>; LANES] = std::array::from_fn(|_| draw.bits());
            let push = queue.len() < 2 && draw.bit();
            let leaves = !queue.is_empty() && draw.bit();
            (block.push.next, block.leaves.next, block.pass.next) = (push, leaves, pass);
            block.offset.iter_mut().zip(offset).for_each(|(signal, value)| signal.next = value);
            settled!(block);
            prop_assert_eq!(block.has_room.val(), queue.len() < 2);
            prop_assert_eq!((block.full.val(), block.second_full.val()), (!queue.is_empty(), queue.len() == 2));
            if let Some((pass, offset)) = queue.front() {
                prop_assert_eq!(block.first_operation.val(), pass.operation);
                prop_assert_eq!(block.first_pass.val(), *pass);
                prop_assert_eq!(std::array::from_fn(|lane| block.first_offset[lane].val()), *offset);
            }
            for place in 0..2 {
                let pass = queue.get(place).map(|(pass, _)| *pass);
                prop_assert_eq!(block.sectors[place].val(), pass.map_or(0.into(), |pass| pass.sectors));
                if let Some(pass) = pass {
                    prop_assert_eq!((block.tag[place].val(), block.row[place].val()), (pass.operation.tag, pass.row));
                }
            }
            if leaves {
                queue.pop_front();
            }
            if push {
                queue.push_back((pass, offset));
            }
            edge!(block);
        }
    }

    /// Rules HIT, LOCAL.
    #[test]
    fn local_line(number in 0..1_u64 << LINE) {
        let mut block = Box::<LocalLine>::default();
        block.connect_all();
        block.line.next = number.into();
        settle(&mut *block);
        let other = u64::from(block.other.val());
        prop_assert_eq!(in_memory(number), other & ((1 << LOCAL_LINE) - 1));
        prop_assert_eq!(number >> LOCAL_LINE, other >> LOCAL_LINE);
        block.line.next = other.into();
        settle(&mut *block);
        prop_assert_eq!(u64::from(block.other.val()), number);
    }

    /// A store, or what is written back, comes only while the port is free.
    #[test]
    fn store_port(cycles in cycles(60)) {
        let mut block = after_reset!(StorePort);
        // In the cycle after a reset it takes nothing.
        settled!(block);
        edge!(block);
        // What memory is told, line in memory, sector, strobes and data of word 0.
        let mut queue: VecDeque<(RequestAttributes, u64, u64, [u64; 8], u64)> = VecDeque::new();
        let mut update = None;
        for draw in cycles {
            let mut draw = Draw(draw);
            let (operation, line, sector) = (operation(&mut draw), draw.number(20), draw.number(2));
            let row = draw.number(ROW_BITS as u32);
            let (push, ready, hits) = (queue.len() < 2 && draw.bit(), draw.bit(), draw.bit());
            let (push_local, write_back) = (!push && draw.bit(), queue.len() < 2 && !push && draw.bit());
            let back_line = line | u64::from(draw.bit()) << LOCAL_LINE;
            (block.push.next, block.ready.next, block.hits.next) = (push, ready, hits);
            (block.push_local.next, block.write_back.next) = (push_local, write_back);
            block.write_back_line.next = back_line.into();
            block.write_back_sector.next = (3 - sector).into();
            (block.operation.next, block.line.next, block.need.next) = (operation, line.into(), (1_u64 << sector).into());
            block.row.next = row.into();
            for word in 0..8 {
                block.strobe[word].next = ((line + word as u64) & 15).into();
                block.data[word].next = (line * 8 + word as u64).into();
                block.write_back_data[word].next = (line * 16 + word as u64).into();
            }
            settled!(block);
            prop_assert_eq!(block.free.val(), queue.len() < 2);
            prop_assert_eq!(block.valid.val(), !queue.is_empty());
            if let Some((attributes, line, sector, strobes, data)) = queue.front() {
                prop_assert_eq!(block.attributes.val(), *attributes);
                prop_assert_eq!(u64::from(block.request_sector.val()), *sector);
                prop_assert_eq!(u64::from(block.address.val()), line * 128 + sector * 32);
                for (word, strobe) in strobes.iter().enumerate() {
                    prop_assert_eq!(u64::from(block.request_strobe[word].val()), *strobe);
                    prop_assert_eq!(u64::from(block.request_data[word].val()), data + word as u64);
                }
            }
            prop_assert_eq!(block.updates.val(), update.is_some());
            if let Some((line, sector, row)) = update {
                prop_assert_eq!(u64::from(block.update_row.val()), row);
                prop_assert_eq!(u64::from(block.update_sector.val()), sector);
                prop_assert_eq!(u64::from(block.update_data[7].val()), line * 8 + 7);
            }
            if ready {
                queue.pop_front();
            }
            if push {
                let strobes = std::array::from_fn(|word| (line + word as u64) & 15);
                let attributes = RequestAttributes {
                    sem: operation.sem,
                    scope: operation.scope,
                    cop: operation.cop,
                    l2_evict: operation.l2_evict,
                    prefetch: operation.prefetch,
                    policy_en: operation.policy_en,
                    policy: operation.policy,
                };
                queue.push_back((attributes, line, sector, strobes, line * 8));
            }
            if write_back {
                queue.push_back((RequestAttributes::default(), in_memory(back_line), 3 - sector, [15; 8], line * 16));
            }
            update = (push && hits || push_local).then_some((line, sector, row));
            edge!(block);
        }
    }

    /// A failed pass reports only while the register is free, and place `issue` waits then.
    #[test]
    fn fault_register(cycles in cycles(100)) {
        let mut block = after_reset!(FaultRegister);
        let mut held: Option<FaultRecord> = None;
        for draw in cycles {
            let mut draw = Draw(draw);
            let mut record = || FaultRecord { tag: draw.bits(), cause: draw.bits(), lanes: draw.bits(), address: draw.bits() };
            let (failed, issue) = (record(), record());
            let (fault_ready, issue_valid, failed_waits) = (draw.bit(), draw.bit(), draw.bit());
            let is_free = held.is_none() || fault_ready;
            let failed_valid = failed_waits && is_free && draw.bit();
            (block.failed_waits.next, block.failed_valid.next, block.failed.next) = (failed_waits, failed_valid, failed);
            (block.issue_valid.next, block.issue.next, block.faults.fault_ready.next) = (issue_valid, issue, fault_ready);
            settled!(block);
            prop_assert_eq!((block.free.val(), block.issue_ready.val()), (is_free, is_free && !failed_waits));
            prop_assert_eq!(block.faults.fault_valid.val().then(|| block.faults.fault.val()), held);
            held = held.filter(|_| !fault_ready);
            if failed_valid {
                held = Some(failed);
            } else if is_free && issue_valid && !failed_waits {
                held = Some(issue);
            }
            edge!(block);
        }
    }
}
