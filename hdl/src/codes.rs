//! The codes of the ports: every value of `docs/ports.md` that has a name.
//!
//! Kernels use the constants; whoever writes the codes for others (as `localparam`s, as a header) takes them from [`PORTS`].

use rust_hdl::prelude::LiteralType;

/// A value of a port that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `OP_LOAD`.
    pub name: &'static str,
    /// The value.
    pub value: LiteralType,
    /// What it means, in a few words.
    pub meaning: &'static str,
}

/// A port whose values have names. Ports that only carry what came on another one are coded as that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodedPort {
    /// `req_op`.
    pub name: &'static str,
    /// Bits of the port.
    pub width: usize,
    /// Values with a name, ascending.
    pub codes: &'static [Code],
}

/// A constant for each code, and the table of all.
macro_rules! codes {
    ($($port:ident: $width:literal bits { $($name:ident = $value:literal, $meaning:literal;)+ })+) => {
        $($(
            #[doc = concat!("`", stringify!($port), "`: ", $meaning, ".")]
            pub const $name: LiteralType = $value;
        )+)+

        /// The ports whose values have names.
        pub const PORTS: &[CodedPort] = &[$(
            CodedPort {
                name: stringify!($port),
                width: $width,
                codes: &[$(Code { name: stringify!($name), value: $name, meaning: $meaning }),+],
            }
        ),+];
    };
}

codes! {
    req_op: 2 bits {
        OP_LOAD = 0, "load";
        OP_STORE = 1, "store";
        OP_LDC = 2, "load of a constant bank";
        OP_COMMAND = 3, "command";
    }
    req_cmd: 2 bits {
        CMD_INVALIDATE_L1 = 0, "invalidate the L1";
        CMD_INVALIDATE_RO = 1, "invalidate the read-only cache";
        CMD_INVALIDATE_CONST = 2, "invalidate the constant cache";
        CMD_WRITE_BACK_LOCAL = 3, "write back local memory";
    }
    req_space: 3 bits {
        SPACE_GENERIC = 0, "generic address";
        SPACE_GLOBAL = 1, "global memory";
        SPACE_SHARED = 2, "shared memory of the own CTA";
        SPACE_SHARED_CLUSTER = 3, "shared memory of the cluster";
        SPACE_LOCAL = 4, "local memory";
        SPACE_CONST = 5, "constant memory";
        SPACE_PARAM_ENTRY = 6, "parameters of the kernel";
        SPACE_PARAM_FUNC = 7, "parameters of a function";
    }
    req_sem: 3 bits {
        SEM_WEAK = 0, "weak";
        SEM_RELAXED = 1, "relaxed";
        SEM_ACQUIRE = 2, "acquire";
        SEM_RELEASE = 3, "release";
        SEM_VOLATILE = 4, "volatile";
        SEM_MMIO = 5, "mmio";
        SEM_MMIO_ACQUIRE = 6, "mmio with acquire";
        SEM_MMIO_RELEASE = 7, "mmio with release";
    }
    req_scope: 2 bits {
        SCOPE_CTA = 0, "threads of the CTA";
        SCOPE_CLUSTER = 1, "threads of the cluster";
        SCOPE_GPU = 2, "threads of the GPU";
        SCOPE_SYS = 3, "threads of the system";
    }
    req_cop: 3 bits {
        COP_DEFAULT = 0, "no cache operator";
        COP_CA = 1, "cache at all levels";
        COP_CG = 2, "cache at the second level";
        COP_CS = 3, "streaming, evict first";
        COP_LU = 4, "last use";
        COP_CV = 5, "do not cache, fetch again";
        COP_WB = 6, "write back";
        COP_WT = 7, "write through";
    }
    req_l1_evict: 3 bits {
        L1_EVICT_NORMAL = 0, "evict_normal, or no priority";
        L1_EVICT_UNCHANGED = 1, "evict_unchanged";
        L1_EVICT_FIRST = 2, "evict_first";
        L1_EVICT_LAST = 3, "evict_last";
        L1_EVICT_NO_ALLOCATE = 4, "no_allocate";
    }
    req_l2_evict: 2 bits {
        L2_EVICT_NORMAL = 0, "evict_normal, or no priority";
        L2_EVICT_FIRST = 1, "evict_first";
        L2_EVICT_LAST = 2, "evict_last";
    }
    req_prefetch: 2 bits {
        PREFETCH_NONE = 0, "no prefetch";
        PREFETCH_64B = 1, "64 bytes";
        PREFETCH_128B = 2, "128 bytes";
        PREFETCH_256B = 3, "256 bytes";
    }
    req_size: 3 bits {
        SIZE_8 = 0, "elements of 8 bits";
        SIZE_16 = 1, "elements of 16 bits";
        SIZE_32 = 2, "elements of 32 bits";
        SIZE_64 = 3, "elements of 64 bits";
        SIZE_128 = 4, "elements of 128 bits";
    }
    req_dst_width: 2 bits {
        DST_WIDTH_16 = 0, "destination of 16 bits";
        DST_WIDTH_32 = 1, "destination of 32 bits";
        DST_WIDTH_64 = 2, "destination of 64 bits";
    }
    req_rd: 8 bits {
        RD_RZ = 255, "no register: the result is dropped";
    }
    req_mode: 2 bits {
        MODE_IA = 0, "indexed absolute";
        MODE_IL = 1, "indexed linear";
        MODE_IS = 2, "indexed segmented";
        MODE_ISL = 3, "indexed segmented, banks to 13";
    }
    fault_cause: 3 bits {
        CAUSE_MISALIGNED_REGISTER = 1, "misaligned_register";
        CAUSE_ILLEGAL_INSTRUCTION = 2, "illegal_instruction";
        CAUSE_MISALIGNED_ADDRESS = 3, "misaligned_address";
        CAUSE_ADDRESS_OUT_OF_RANGE = 4, "address_out_of_range";
        CAUSE_MEMORY_ERROR = 5, "memory_error";
    }
}

/// Inside the unit: no fault.
pub const CAUSE_NONE: LiteralType = 0;

/// All constants as Rust text, for the Verilog writer.
pub(crate) fn text() -> String {
    let codes = PORTS.iter().flat_map(|port| port.codes).map(|code| (code.name, code.value, code.meaning));
    let all = codes.chain([("CAUSE_NONE", CAUSE_NONE, "no fault")]);
    all.map(|(name, value, meaning)| format!("/// {meaning}\nconst {name}: u64 = {value};\n")).collect()
}
