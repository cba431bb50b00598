//! The memory port as an AXI4 master: one request and two answers are held, and nothing else is known of what came before.

use lsu_hdl::codes::SEM_MMIO;
use lsu_hdl::preset::tiny4::unit::axi_master::AxiMaster;
use lsu_hdl::preset::tiny4::unit::global::operation::RequestAttributes;
use proptest::prelude::*;

use crate::{Draw, config, cycles, edge, settled};

/// What is held of a request, and which channels have still to take it.
#[derive(Clone, Copy, Default)]
struct Request {
    read: bool,
    address: bool,
    data: bool,
    id: u64,
    first: u64,
    size: u64,
    cache: u64,
    strobe: u64,
    word: u64,
    attributes: RequestAttributes,
}

/// An answer: id, error, the first word of its data.
type Answer = (u64, bool, u64);

proptest! {
    #![proptest_config(config())]

    /// Whatever comes on any channel, in any cycle, resets of the unit alone among it.
    #[test]
    fn axi_master(cycles in cycles(80)) {
        let mut block = crate::after_reset!(AxiMaster, rst_mem);
        let mut request = Request::default();
        let (mut read, mut write): (Option<Answer>, Option<Answer>) = (None, None);
        // Rule ARBITER: who was presented and not taken, and who was taken last.
        let (mut presented, mut write_was_last) = (None, true);
        for draw in cycles {
            let mut draw = Draw(draw);
            (block.reset.next, block.rst_mem.next) = (draw.number(4) == 0, draw.number(3) == 0);
            let (id, sector, is_write, is_mmio) = (draw.number(8), draw.number(20) << 5, draw.bit(), draw.bit());
            // An element of 1 to 16 bytes, aligned.
            let element = draw.number(3) % 5;
            let first = (draw.number(5) >> element) << element;
            let strobe = if is_mmio { ((1_u64 << (1 << element)) - 1) << first } else { draw.number(32) };
            let word = draw.number(8);
            let attributes = RequestAttributes {
                sem: if is_mmio { SEM_MMIO.into() } else { (draw.number(3) % 5).into() },
                scope: draw.bits(),
                cop: draw.bits(),
                l2_evict: draw.bits(),
                prefetch: draw.bits(),
                policy_en: draw.bit(),
                policy: (id << 40).into(),
            };
            let valid = draw.bit();
            (block.mem_req_valid.next, block.mem_req_write.next) = (valid, is_write);
            (block.mem_req_id.next, block.mem_req_addr.next) = (id.into(), sector.into());
            block.mem_req_strb.next = strobe.into();
            (block.mem_req_sem.next, block.mem_req_scope.next) = (attributes.sem, attributes.scope);
            (block.mem_req_cop.next, block.mem_req_l2_evict.next) = (attributes.cop, attributes.l2_evict);
            (block.mem_req_prefetch.next, block.mem_req_policy.next) = (attributes.prefetch, attributes.policy);
            block.mem_req_policy_en.next = attributes.policy_en;
            let [ar, aw, w, takes, came_read, came_write] = std::array::from_fn(|_| draw.bit());
            // AXI: what the channels put out follows none of their inputs in the same cycle.
            block.mem_rsp_ready.next = takes;
            let [one, other] = [true, false].map(|differs| {
                (block.m_axi_arready.next, block.m_axi_awready.next) = (ar ^ differs, aw ^ differs);
                (block.m_axi_wready.next, block.m_axi_rvalid.next) = (w ^ differs, came_read ^ differs);
                block.m_axi_bvalid.next = came_write ^ differs;
                settled!(block);
                let valid = [block.m_axi_arvalid.val(), block.m_axi_awvalid.val(), block.m_axi_wvalid.val()];
                (valid, block.m_axi_rready.val(), block.m_axi_bready.val())
            });
            prop_assert_eq!(one, other);
            let (resp, came_id) = (draw.number(2), draw.number(8));
            (block.m_axi_rid.next, block.m_axi_rresp.next) = (came_id.into(), resp.into());
            (block.m_axi_bid.next, block.m_axi_bresp.next) = ((255 - came_id).into(), (3 - resp).into());
            for place in 0..8 {
                block.mem_req_data[place].next = (word + place as u64).into();
                block.m_axi_rdata[place].next = (came_id * 8 + place as u64).into();
            }
            block.m_axi_rlast.next = true;
            settled!(block);

            // What is offered.
            prop_assert_eq!(block.m_axi_arvalid.val(), request.read);
            prop_assert_eq!((block.m_axi_awvalid.val(), block.m_axi_wvalid.val()), (request.address, request.data));
            if request.read {
                let said: [u64; 3] = [block.m_axi_arid.val().into(), block.m_axi_araddr.val().into(), block.m_axi_arsize.val().into()];
                prop_assert_eq!(said, [request.id, request.first, request.size]);
                prop_assert_eq!(u64::from(block.m_axi_arcache.val()), request.cache);
                prop_assert_eq!((block.m_axi_aruser.val(), block.m_axi_arlen.val()), (request.attributes, 0.into()));
            }
            if request.address {
                let said: [u64; 3] = [block.m_axi_awid.val().into(), block.m_axi_awaddr.val().into(), block.m_axi_awsize.val().into()];
                prop_assert_eq!(said, [request.id, request.first, request.size]);
                prop_assert_eq!(u64::from(block.m_axi_awcache.val()), request.cache);
                prop_assert_eq!((block.m_axi_awuser.val(), block.m_axi_awlen.val()), (request.attributes, 0.into()));
            }
            if request.data {
                prop_assert_eq!(u64::from(block.m_axi_wstrb.val()), request.strobe);
                prop_assert_eq!((u64::from(block.m_axi_wdata[7].val()), block.m_axi_wlast.val()), (request.word + 7, true));
            }
            (request.read, request.address, request.data) = (request.read && !ar, request.address && !aw, request.data && !w);
            let has_room = !(request.read || request.address || request.data);
            prop_assert_eq!(block.mem_req_ready.val(), has_room);

            // What is answered.
            let is_write_presented = presented.unwrap_or(write.is_some() && (read.is_none() || !write_was_last));
            let answer = if is_write_presented { write } else { read };
            prop_assert_eq!(block.mem_rsp_valid.val(), answer.is_some());
            if let Some((id, error, word)) = answer {
                prop_assert_eq!((u64::from(block.mem_rsp_id.val()), block.mem_rsp_error.val()), (id, error));
                prop_assert!(is_write_presented || u64::from(block.mem_rsp_data[0].val()) == word);
            }
            presented = answer.filter(|_| !takes).map(|_| is_write_presented);
            if answer.is_some() && takes {
                *(if is_write_presented { &mut write } else { &mut read }) = None;
                write_was_last = is_write_presented;
            }
            prop_assert_eq!((block.m_axi_rready.val(), block.m_axi_bready.val()), (read.is_none(), write.is_none()));

            if has_room && valid {
                let (first, size, cache) = if is_mmio { (sector + first, element, 0) } else { (sector, 5, 2) };
                request = Request { read: !is_write, address: is_write, data: is_write, id, first, size, cache, strobe, word, attributes };
            }
            read = read.or_else(|| came_read.then_some((came_id, resp != 0, came_id * 8)));
            write = write.or_else(|| came_write.then_some((255 - came_id, resp != 3, 0)));
            if block.reset.val() && block.rst_mem.val() {
                (request, read, write) = (Request::default(), None, None);
                (presented, write_was_last) = (None, true);
            }
            edge!(block);
        }
    }
}
