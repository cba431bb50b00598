// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lsu 0.1.0: the codes of the ports, for C and C++.
// Written by: lsu verilog, beside the Verilog of any preset
// Generated, do not edit: `lsu verilog` overwrites this file as long as the checksum below holds.
// sha256 of all other lines: dcfe1200c8a0656ede5ac0500f5e4b504a688a6142fc7e306a71a905ec06c954
#ifndef LSU_CODES_H
#define LSU_CODES_H

// req_op, 2 bits.
#define LSU_OP_LOAD 0u  // load
#define LSU_OP_STORE 1u  // store
#define LSU_OP_LDC 2u  // load of a constant bank
#define LSU_OP_COMMAND 3u  // command

// req_cmd, 2 bits.
#define LSU_CMD_INVALIDATE_L1 0u  // invalidate the L1
#define LSU_CMD_INVALIDATE_RO 1u  // invalidate the read-only cache
#define LSU_CMD_INVALIDATE_CONST 2u  // invalidate the constant cache
#define LSU_CMD_WRITE_BACK_LOCAL 3u  // write back local memory

// req_space, 3 bits.
#define LSU_SPACE_GENERIC 0u  // generic address
#define LSU_SPACE_GLOBAL 1u  // global memory
#define LSU_SPACE_SHARED 2u  // shared memory of the own CTA
#define LSU_SPACE_SHARED_CLUSTER 3u  // shared memory of the cluster
#define LSU_SPACE_LOCAL 4u  // local memory
#define LSU_SPACE_CONST 5u  // constant memory
#define LSU_SPACE_PARAM_ENTRY 6u  // parameters of the kernel
#define LSU_SPACE_PARAM_FUNC 7u  // parameters of a function

// req_sem, 3 bits.
#define LSU_SEM_WEAK 0u  // weak
#define LSU_SEM_RELAXED 1u  // relaxed
#define LSU_SEM_ACQUIRE 2u  // acquire
#define LSU_SEM_RELEASE 3u  // release
#define LSU_SEM_VOLATILE 4u  // volatile
#define LSU_SEM_MMIO 5u  // mmio
#define LSU_SEM_MMIO_ACQUIRE 6u  // mmio with acquire
#define LSU_SEM_MMIO_RELEASE 7u  // mmio with release

// req_scope, 2 bits.
#define LSU_SCOPE_CTA 0u  // threads of the CTA
#define LSU_SCOPE_CLUSTER 1u  // threads of the cluster
#define LSU_SCOPE_GPU 2u  // threads of the GPU
#define LSU_SCOPE_SYS 3u  // threads of the system

// req_cop, 3 bits.
#define LSU_COP_DEFAULT 0u  // no cache operator
#define LSU_COP_CA 1u  // cache at all levels
#define LSU_COP_CG 2u  // cache at the second level
#define LSU_COP_CS 3u  // streaming, evict first
#define LSU_COP_LU 4u  // last use
#define LSU_COP_CV 5u  // do not cache, fetch again
#define LSU_COP_WB 6u  // write back
#define LSU_COP_WT 7u  // write through

// req_l1_evict, 3 bits.
#define LSU_L1_EVICT_NORMAL 0u  // evict_normal, or no priority
#define LSU_L1_EVICT_UNCHANGED 1u  // evict_unchanged
#define LSU_L1_EVICT_FIRST 2u  // evict_first
#define LSU_L1_EVICT_LAST 3u  // evict_last
#define LSU_L1_EVICT_NO_ALLOCATE 4u  // no_allocate

// req_l2_evict, 2 bits.
#define LSU_L2_EVICT_NORMAL 0u  // evict_normal, or no priority
#define LSU_L2_EVICT_FIRST 1u  // evict_first
#define LSU_L2_EVICT_LAST 2u  // evict_last

// req_prefetch, 2 bits.
#define LSU_PREFETCH_NONE 0u  // no prefetch
#define LSU_PREFETCH_64B 1u  // 64 bytes
#define LSU_PREFETCH_128B 2u  // 128 bytes
#define LSU_PREFETCH_256B 3u  // 256 bytes

// req_size, 3 bits.
#define LSU_SIZE_8 0u  // elements of 8 bits
#define LSU_SIZE_16 1u  // elements of 16 bits
#define LSU_SIZE_32 2u  // elements of 32 bits
#define LSU_SIZE_64 3u  // elements of 64 bits
#define LSU_SIZE_128 4u  // elements of 128 bits

// req_dst_width, 2 bits.
#define LSU_DST_WIDTH_16 0u  // destination of 16 bits
#define LSU_DST_WIDTH_32 1u  // destination of 32 bits
#define LSU_DST_WIDTH_64 2u  // destination of 64 bits

// req_rd, 8 bits.
#define LSU_RD_RZ 255u  // no register: the result is dropped

// req_mode, 2 bits.
#define LSU_MODE_IA 0u  // indexed absolute
#define LSU_MODE_IL 1u  // indexed linear
#define LSU_MODE_IS 2u  // indexed segmented
#define LSU_MODE_ISL 3u  // indexed segmented, banks to 13

// fault_cause, 3 bits.
#define LSU_CAUSE_MISALIGNED_REGISTER 1u  // misaligned_register
#define LSU_CAUSE_ILLEGAL_INSTRUCTION 2u  // illegal_instruction
#define LSU_CAUSE_MISALIGNED_ADDRESS 3u  // misaligned_address
#define LSU_CAUSE_ADDRESS_OUT_OF_RANGE 4u  // address_out_of_range
#define LSU_CAUSE_MEMORY_ERROR 5u  // memory_error

#endif  // LSU_CODES_H
