// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lsu 0.1.0: the codes of the ports, for SystemVerilog.
// Written by: lsu verilog, beside the Verilog of any preset
// Generated, do not edit: `lsu verilog` overwrites this file as long as the checksum below holds.
// sha256 of all other lines: c6b561ebc383fb4853356a74ea8bd69a9aaeb56c57d3ea9e655a86208b6b0cb5
/* verilator lint_off UNUSEDPARAM */
package lsu_codes;
    // req_op, 2 bits.
    localparam logic [1:0] OP_LOAD = 2'd0;  // load
    localparam logic [1:0] OP_STORE = 2'd1;  // store
    localparam logic [1:0] OP_LDC = 2'd2;  // load of a constant bank
    localparam logic [1:0] OP_COMMAND = 2'd3;  // command

    // req_cmd, 2 bits.
    localparam logic [1:0] CMD_INVALIDATE_L1 = 2'd0;  // invalidate the L1
    localparam logic [1:0] CMD_INVALIDATE_RO = 2'd1;  // invalidate the read-only cache
    localparam logic [1:0] CMD_INVALIDATE_CONST = 2'd2;  // invalidate the constant cache
    localparam logic [1:0] CMD_WRITE_BACK_LOCAL = 2'd3;  // write back local memory

    // req_space, 3 bits.
    localparam logic [2:0] SPACE_GENERIC = 3'd0;  // generic address
    localparam logic [2:0] SPACE_GLOBAL = 3'd1;  // global memory
    localparam logic [2:0] SPACE_SHARED = 3'd2;  // shared memory of the own CTA
    localparam logic [2:0] SPACE_SHARED_CLUSTER = 3'd3;  // shared memory of the cluster
    localparam logic [2:0] SPACE_LOCAL = 3'd4;  // local memory
    localparam logic [2:0] SPACE_CONST = 3'd5;  // constant memory
    localparam logic [2:0] SPACE_PARAM_ENTRY = 3'd6;  // parameters of the kernel
    localparam logic [2:0] SPACE_PARAM_FUNC = 3'd7;  // parameters of a function

    // req_sem, 3 bits.
    localparam logic [2:0] SEM_WEAK = 3'd0;  // weak
    localparam logic [2:0] SEM_RELAXED = 3'd1;  // relaxed
    localparam logic [2:0] SEM_ACQUIRE = 3'd2;  // acquire
    localparam logic [2:0] SEM_RELEASE = 3'd3;  // release
    localparam logic [2:0] SEM_VOLATILE = 3'd4;  // volatile
    localparam logic [2:0] SEM_MMIO = 3'd5;  // mmio
    localparam logic [2:0] SEM_MMIO_ACQUIRE = 3'd6;  // mmio with acquire
    localparam logic [2:0] SEM_MMIO_RELEASE = 3'd7;  // mmio with release

    // req_scope, 2 bits.
    localparam logic [1:0] SCOPE_CTA = 2'd0;  // threads of the CTA
    localparam logic [1:0] SCOPE_CLUSTER = 2'd1;  // threads of the cluster
    localparam logic [1:0] SCOPE_GPU = 2'd2;  // threads of the GPU
    localparam logic [1:0] SCOPE_SYS = 2'd3;  // threads of the system

    // req_cop, 3 bits.
    localparam logic [2:0] COP_DEFAULT = 3'd0;  // no cache operator
    localparam logic [2:0] COP_CA = 3'd1;  // cache at all levels
    localparam logic [2:0] COP_CG = 3'd2;  // cache at the second level
    localparam logic [2:0] COP_CS = 3'd3;  // streaming, evict first
    localparam logic [2:0] COP_LU = 3'd4;  // last use
    localparam logic [2:0] COP_CV = 3'd5;  // do not cache, fetch again
    localparam logic [2:0] COP_WB = 3'd6;  // write back
    localparam logic [2:0] COP_WT = 3'd7;  // write through

    // req_l1_evict, 3 bits.
    localparam logic [2:0] L1_EVICT_NORMAL = 3'd0;  // evict_normal, or no priority
    localparam logic [2:0] L1_EVICT_UNCHANGED = 3'd1;  // evict_unchanged
    localparam logic [2:0] L1_EVICT_FIRST = 3'd2;  // evict_first
    localparam logic [2:0] L1_EVICT_LAST = 3'd3;  // evict_last
    localparam logic [2:0] L1_EVICT_NO_ALLOCATE = 3'd4;  // no_allocate

    // req_l2_evict, 2 bits.
    localparam logic [1:0] L2_EVICT_NORMAL = 2'd0;  // evict_normal, or no priority
    localparam logic [1:0] L2_EVICT_FIRST = 2'd1;  // evict_first
    localparam logic [1:0] L2_EVICT_LAST = 2'd2;  // evict_last

    // req_prefetch, 2 bits.
    localparam logic [1:0] PREFETCH_NONE = 2'd0;  // no prefetch
    localparam logic [1:0] PREFETCH_64B = 2'd1;  // 64 bytes
    localparam logic [1:0] PREFETCH_128B = 2'd2;  // 128 bytes
    localparam logic [1:0] PREFETCH_256B = 2'd3;  // 256 bytes

    // req_size, 3 bits.
    localparam logic [2:0] SIZE_8 = 3'd0;  // elements of 8 bits
    localparam logic [2:0] SIZE_16 = 3'd1;  // elements of 16 bits
    localparam logic [2:0] SIZE_32 = 3'd2;  // elements of 32 bits
    localparam logic [2:0] SIZE_64 = 3'd3;  // elements of 64 bits
    localparam logic [2:0] SIZE_128 = 3'd4;  // elements of 128 bits

    // req_dst_width, 2 bits.
    localparam logic [1:0] DST_WIDTH_16 = 2'd0;  // destination of 16 bits
    localparam logic [1:0] DST_WIDTH_32 = 2'd1;  // destination of 32 bits
    localparam logic [1:0] DST_WIDTH_64 = 2'd2;  // destination of 64 bits

    // req_rd, 8 bits.
    localparam logic [7:0] RD_RZ = 8'd255;  // no register: the result is dropped

    // req_mode, 2 bits.
    localparam logic [1:0] MODE_IA = 2'd0;  // indexed absolute
    localparam logic [1:0] MODE_IL = 2'd1;  // indexed linear
    localparam logic [1:0] MODE_IS = 2'd2;  // indexed segmented
    localparam logic [1:0] MODE_ISL = 2'd3;  // indexed segmented, banks to 13

    // fault_cause, 3 bits.
    localparam logic [2:0] CAUSE_MISALIGNED_REGISTER = 3'd1;  // misaligned_register
    localparam logic [2:0] CAUSE_ILLEGAL_INSTRUCTION = 3'd2;  // illegal_instruction
    localparam logic [2:0] CAUSE_MISALIGNED_ADDRESS = 3'd3;  // misaligned_address
    localparam logic [2:0] CAUSE_ADDRESS_OUT_OF_RANGE = 3'd4;  // address_out_of_range
    localparam logic [2:0] CAUSE_MEMORY_ERROR = 3'd5;  // memory_error
endpackage
/* verilator lint_on UNUSEDPARAM */
