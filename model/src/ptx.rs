//! PTX front end: reads `ld`, `ld.global.nc` and `st`, judges them, lowers them and prints them back.
//!
//! * [`parse`] reads one instruction, [`Instruction`] prints itself in the documents' order of qualifiers.
//! * [`judge`] says whether an instruction is legal for a version, a target and the declarations around it, in one of
//!   two [`Dialect`]s: what NVIDIA's assembler accepts, or the documents to the letter. It works by rules, one per
//!   sentence or per measured behaviour; each has a short name that every verdict carries.
//! * [`lower`] gives the micro-op and says where its per-lane values come from.
//! * [`not_served`] says of a legal instruction whether this version of the unit serves it.
//! * [`lint`] reads a whole module, [`judge_fragment`] a piece of a function body.
//!
//! Deliberately absent: every other instruction (skipped in a module), and the meaning of a program as a whole.

mod cache_policy;
mod constant;
mod context;
mod declaration;
mod expression;
mod finding;
mod fragment;
mod instruction;
mod lexer;
mod lowering;
mod module;
mod number;
mod parser;
mod print;
mod qualifier;
mod raise;
mod rules;
mod special;
mod statement;
mod types;
mod verdict;
mod version;

pub use context::{Context, Symbol, Variable, VariableSpace};
pub use fragment::judge_fragment;
pub use instruction::{
    Address, At, Base, Data, Guard, Immediate, Instruction, Operation, Order, Part, Source, StateSpace,
};
pub use lowering::{AddressBase, Element, Lowered, PolicySource, UpperHalf, lower, not_served};
pub use module::{Judged, Module, lint};
pub use parser::parse;
pub use raise::{nearest, raise};
pub use types::{Class, DataType};
pub use verdict::{Dialect, Verdict, judge};
pub use version::{Gate, Target, Version};
