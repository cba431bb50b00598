//! Violations of the architecture, as values.

use thiserror::Error;

/// Something that the unit did and must not do, or did not do and must.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Violation {
    /// The environment used a tag again before the operation had completed.
    #[error("tag {tag}: accepted again while the operation is in flight")]
    TagInFlight {
        /// The operation.
        tag: u8,
    },
    /// An answer on `port` to an operation that does not exist, or that has completed.
    #[error("tag {tag}: {port} without an operation in flight")]
    NoOperation {
        /// The operation.
        tag: u8,
        /// `wb`, `fault` or `done`.
        port: &'static str,
    },
    /// An answer on `port`, where the operation must be answered on another one.
    #[error("tag {tag}: {port}, but expected {expected}")]
    WrongPort {
        /// The operation.
        tag: u8,
        /// Where it was answered: `wb`, `fault` or `done`.
        port: &'static str,
        /// Where it should have been.
        expected: &'static str,
    },
    /// A register outside the operation's destination.
    #[error("tag {tag}: wrote R{register}, but the destination is {count} register(s) from R{first}")]
    WrongRegister {
        /// The operation.
        tag: u8,
        /// The register that was written.
        register: u8,
        /// First destination register.
        first: u8,
        /// Destination registers.
        count: u8,
    },
    /// A lane is in `wb_mask` that is not to be written.
    #[error("tag {tag} lane {lane}: wrote R{register} ({rule}: this lane writes nothing)")]
    LaneNotWritable {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The register.
        register: u8,
        /// The rule that says so.
        rule: &'static str,
    },
    /// A lane outside `wb_mask` has data.
    #[error("tag {tag} lane {lane}: R{register} data {got:#x} outside wb_mask, expected 0")]
    DataOutsideMask {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The register.
        register: u8,
        /// The data.
        got: u32,
    },
    /// A wrong value.
    #[error("tag {tag} lane {lane}: R{register} expected {expected:#x}, got {got:#x} ({rule})")]
    WrongValue {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The register.
        register: u8,
        /// What the architecture says.
        expected: u32,
        /// What the unit wrote.
        got: u32,
        /// The rule that decides the value.
        rule: &'static str,
    },
    /// A register of a lane came twice.
    #[error("tag {tag} lane {lane}: R{register} written twice")]
    WrittenTwice {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The register.
        register: u8,
    },
    /// A lane that a memory_error record names was written.
    #[error("tag {tag} lane {lane}: R{register} written, but the lane is in a memory_error record")]
    FailedLaneWritten {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The register.
        register: u8,
    },
    /// `wb_last` came, and a lane that had to be written was not.
    #[error("tag {tag} lane {lane}: R{register} not written before wb_last")]
    NotWritten {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The first register that is missing.
        register: u8,
    },
    /// A fault record differs from the one that the operation must give.
    #[error(
        "tag {tag}: fault expected cause {expected_cause} lanes {expected_lanes:#x} address {expected_address:#x}, \
         got cause {cause} lanes {lanes:#x} address {address:#x} ({rule})"
    )]
    WrongFault {
        /// The operation.
        tag: u8,
        /// Cause that the architecture says.
        expected_cause: u8,
        /// Lanes that the architecture says.
        expected_lanes: u32,
        /// Address that the architecture says.
        expected_address: u64,
        /// Cause of the record.
        cause: u8,
        /// Lanes of the record.
        lanes: u32,
        /// Address of the record.
        address: u64,
        /// The rule that decides.
        rule: &'static str,
    },
    /// A fault record of an operation that has no such fault.
    #[error("tag {tag}: fault cause {cause} lanes {lanes:#x}, but the operation is legal")]
    UnexpectedFault {
        /// The operation.
        tag: u8,
        /// Cause of the record.
        cause: u8,
        /// Lanes of the record.
        lanes: u32,
    },
    /// A lane in a memory_error record whose sector was not answered with an error while the operation, or one that it may
    /// share a fetch with, was in flight; or that is already in another record.
    #[error("tag {tag} lane {lane}: memory_error, but {reason}")]
    UnfoundedError {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// What speaks against it.
        reason: &'static str,
    },
    /// A memory_error record with the wrong address.
    #[error("tag {tag}: memory_error address expected {expected:#x}, got {got:#x}")]
    WrongErrorAddress {
        /// The operation.
        tag: u8,
        /// Address of the record's lowest lane.
        expected: u64,
        /// Address of the record.
        got: u64,
    },
    /// An operation that was never completed.
    #[error("tag {tag}: not answered")]
    Unanswered {
        /// The operation.
        tag: u8,
    },
    /// Lanes that were left unwritten without a memory_error record.
    #[error("tag {tag}: no memory_error record for the unwritten lanes {lanes:#x}")]
    MissingErrorRecord {
        /// The operation.
        tag: u8,
        /// The lanes.
        lanes: u32,
    },
    /// A status pin is wrong when nothing is in flight.
    #[error("{pin} expected {expected}, got {got} ({rule})")]
    WrongStatus {
        /// The pin.
        pin: &'static str,
        /// What the operations so far add up to.
        expected: u32,
        /// What the pin says.
        got: u32,
        /// The rule that decides.
        rule: &'static str,
    },
    /// A byte of a global load that no rule allows.
    #[error("tag {tag} lane {lane}: R{register} byte {got:#04x} from address {address:#x} ({rule})")]
    ForbiddenValue {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The register.
        register: u8,
        /// Where the byte lies.
        address: u64,
        /// The byte that was delivered.
        got: u8,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// The upper part of a narrow element, or the second register of one.
    #[error("tag {tag} lane {lane}: R{register} extended to {got:#x}, expected {expected:#x}")]
    WrongExtension {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The register.
        register: u8,
        /// The right extension of what was delivered.
        expected: u32,
        /// What was delivered.
        got: u32,
    },
    /// A load that must go to the memory side delivered a value without having asked for it.
    #[error("tag {tag} lane {lane}: delivered without a read of its own from {address:#x}")]
    NotFetched {
        /// The operation.
        tag: u8,
        /// The lane.
        lane: u32,
        /// The sector.
        address: u64,
    },
    /// A read that no operation in flight wants, with these attributes, strobes and in this order.
    #[error("mem_req id {id}: no operation wants this read of {address:#x} strobes {strobes:#x}")]
    UnwantedRead {
        /// The request.
        id: u8,
        /// Its sector.
        address: u64,
        /// The bytes asked for.
        strobes: u32,
    },
    /// A write that no operation in flight wants, with these attributes, bytes, values and in this order.
    #[error("mem_req id {id}: no operation wants this write to {address:#x} strobes {strobes:#x}")]
    UnwantedWrite {
        /// The request.
        id: u8,
        /// Its sector.
        address: u64,
        /// The bytes written.
        strobes: u32,
    },
    /// A sector of local memory was written back with a byte that its thread has not left there.
    #[error(
        "mem_req id {id}: wrote back byte {got:#04x} to {address:#x} of local memory, which its thread did not leave there"
    )]
    WrongWriteBack {
        /// The request.
        id: u8,
        /// Where the byte lies.
        address: u64,
        /// The byte that was written.
        got: u8,
    },
    /// A request for a sector of local memory while it is written back, or its write-back while another request for it has not been
    /// answered.
    #[error("mem_req id {id}: while a write-back of {address:#x}, or what it follows, has not been answered")]
    PassedWriteBack {
        /// The request.
        id: u8,
        /// Its sector.
        address: u64,
    },
    /// The command to write local memory back was done, and memory does not hold what was stored before it.
    #[error(
        "tag {tag}: done, but memory holds {got:#04x} at {address:#x} of local memory, which its thread did not leave there"
    )]
    NotWrittenBack {
        /// The command.
        tag: u8,
        /// Where the byte lies.
        address: u64,
        /// What memory holds.
        got: u8,
    },
    /// A request to another CTA that no operation in flight wants, with these attributes, bytes and values.
    #[error(
        "cluster_req id {id}: no operation wants to access rank {rank} at {address:#x} with strobes {strobes:#x} (write {write})"
    )]
    UnwantedClusterRequest {
        /// The request.
        id: u8,
        /// The CTA that it is for.
        rank: u8,
        /// The sector's byte offset in its window.
        address: u64,
        /// The bytes asked for, or written.
        strobes: u32,
        /// Whether it is a write.
        write: bool,
    },
    /// After a reset, a request to another CTA before the last answer to those from before it.
    #[error("cluster_req id {id}: while {owed} request(s) from before the reset have not been answered")]
    ClusterRequestTooEarly {
        /// The request.
        id: u8,
        /// Answers that are still to come.
        owed: u32,
    },
    /// An id of the cluster port was used again before its response.
    #[error("cluster_req id {id}: used again before it was answered")]
    ClusterIdInFlight {
        /// The request.
        id: u8,
    },
    /// A response to another CTA that has no request to be answered.
    #[error("serve_rsp id {id} rank {rank}: nobody has asked")]
    NobodyAsked {
        /// The response's id.
        id: u8,
        /// The response's rank.
        rank: u8,
    },
    /// A response to another CTA that is not the answer to the first of the requests.
    #[error("serve_rsp id {id} rank {rank}: expected the answer to id {expected_id} of rank {expected_rank}")]
    WrongReply {
        /// The response's id.
        id: u8,
        /// The response's rank.
        rank: u8,
        /// The request's id.
        expected_id: u8,
        /// The CTA that asked.
        expected_rank: u8,
    },
    /// A response with an error to a request inside the window, or without one to a request beyond it.
    #[error("serve_rsp id {id} rank {rank}: error {error} for the offset {address:#x}")]
    WrongReplyError {
        /// The request.
        id: u8,
        /// The CTA that asked.
        rank: u8,
        /// The byte offset that it asked for.
        address: u64,
        /// What the response says.
        error: bool,
    },
    /// A response with data to a write or with an error.
    #[error("serve_rsp id {id} rank {rank}: data, but expected 0 for a write or an error")]
    ReplyWithData {
        /// The request.
        id: u8,
        /// The CTA that asked.
        rank: u8,
    },
    /// A byte that shared memory did not hold while the request was there.
    #[error(
        "serve_rsp id {id} rank {rank}: byte {got:#04x} from {address:#x} of shared memory, which did not hold it since the request"
    )]
    ForbiddenReply {
        /// The request.
        id: u8,
        /// The CTA that asked.
        rank: u8,
        /// Where the byte lies in shared memory.
        address: u64,
        /// The byte that was delivered.
        got: u8,
    },
    /// A request of another CTA that was never answered.
    #[error("serve_req id {id} rank {rank}: not answered")]
    NotServed {
        /// The request.
        id: u8,
        /// The CTA that asked.
        rank: u8,
    },
    /// A release wrote before an earlier access of its warp was answered.
    #[error("tag {tag}: released before the access of tag {earlier} to {address:#x} was answered")]
    ReleasedTooEarly {
        /// The release.
        tag: u8,
        /// The earlier operation.
        earlier: u8,
        /// The sector that it accesses.
        address: u64,
    },
    /// After a reset, a request before the last answer to those from before it.
    #[error("mem_req id {id}: while {owed} request(s) from before the reset have not been answered")]
    RequestTooEarly {
        /// The request.
        id: u8,
        /// Answers that are still to come.
        owed: u32,
    },
    /// An id of the memory port was used again before its response.
    #[error("mem_req id {id}: used again before it was answered")]
    IdInFlight {
        /// The request.
        id: u8,
    },
    /// A register of store data was taken that belongs to no store.
    #[error("wdata: taken without a store that has data to come")]
    UnwantedData,
    /// An operation ended without an access that it has to make.
    #[error("tag {tag}: ended without its access to {address:#x}")]
    MissingTransaction {
        /// The operation.
        tag: u8,
        /// The sector.
        address: u64,
    },
    /// A store was acknowledged before memory had answered.
    #[error("tag {tag}: done before {address:#x} was answered")]
    DoneTooEarly {
        /// The operation.
        tag: u8,
        /// The sector.
        address: u64,
    },
}

impl Violation {
    /// What is missing of an operation at the end: if it has `ended`, records for the lanes `owing`.
    pub(super) const fn unfinished(tag: u8, ended: bool, owing: u32) -> Self {
        if ended { Self::MissingErrorRecord { tag, lanes: owing } } else { Self::Unanswered { tag } }
    }
}
