//! The ports to other CTAs of the cluster, wherever they stand: of the unit, of the global path, and of the places behind them.

use super::prelude::*;

/// Responses to what this unit has asked the cluster for.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct ClusterResponsePort {
    /// A sector came back.
    pub cluster_rsp_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub cluster_rsp_ready: Signal<Out, Bit>,
    /// The request's id.
    pub cluster_rsp_id: Signal<In, Bits<6>>,
    /// The sector, word 0 lowest.
    pub cluster_rsp_data: Many<Signal<In, Bits<32>>, 8>,
    /// The access failed; the data means nothing.
    pub cluster_rsp_error: Signal<In, Bit>,
}

/// Requests of other CTAs for sectors of this unit's shared memory.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct ServeRequestPort {
    /// A request is offered.
    pub serve_req_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub serve_req_ready: Signal<Out, Bit>,
    /// Returned with the response.
    pub serve_req_id: Signal<In, Bits<6>>,
    /// Rank of the CTA that asks; returned with the response.
    pub serve_req_rank: Signal<In, Bits<8>>,
    /// Write instead of read.
    pub serve_req_write: Signal<In, Bit>,
    /// Byte offset in the window of the CTA; the low five bits are not looked at.
    pub serve_req_addr: Signal<In, Bits<ADDR>>,
    /// Bytes written; of a read, not looked at.
    pub serve_req_strb: Signal<In, Bits<32>>,
    /// Write data, word 0 lowest.
    pub serve_req_data: Many<Signal<In, Bits<32>>, 8>,
}

/// Responses to those.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct ServeResponsePort {
    /// A response is offered.
    pub serve_rsp_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub serve_rsp_ready: Signal<In, Bit>,
    /// The request's id.
    pub serve_rsp_id: Signal<Out, Bits<6>>,
    /// The CTA that asked.
    pub serve_rsp_rank: Signal<Out, Bits<8>>,
    /// The sector, word 0 lowest; 0 for a write and for an error.
    pub serve_rsp_data: Many<Signal<Out, Bits<32>>, 8>,
    /// The address lies beyond the window; nothing was written.
    pub serve_rsp_error: Signal<Out, Bit>,
}
