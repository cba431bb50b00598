//! Random rust_hdl kernels, made from a seed when the crate is built, that prove the Verilog writer:
//! the same random inputs go to the rust_hdl simulation of each kernel and to its emitted Verilog.

#![allow(
    missing_docs,
    double_negations,
    unused_parens,
    unused_comparisons,
    unused_variables,
    clippy::all,
    missing_debug_implementations
)]

mod bitstream;

use lsu_hdl::verilog::{self, EmittedModule, Refusal};
use lsu_hdl::{Arrays, Many, Memory, Register, Registers, clock, dff_setup};
use rust_hdl::prelude::*;

pub use bitstream::{Bitstream, Word};

/// An enum whose width has a code to spare.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Color {
    /// Code 0.
    Red,
    /// Code 1.
    Green,
    /// Code 2.
    Blue,
}

/// A struct of 17 bits.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Pair {
    /// Bits 4 to 0.
    pub low: Bits<5>,
    /// Bit 5.
    pub flag: Bit,
    /// Bits 16 to 6.
    pub high: Bits<11>,
}

/// A struct in which a struct stands.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Nested {
    /// Bits 2 to 0.
    pub count: Bits<3>,
    /// Bits 19 to 3.
    pub pair: Pair,
}

/// A constant of 1 bit.
pub const ONE: LiteralType = 1;
/// A constant of 3 bits.
pub const FIVE: LiteralType = 5;
/// A constant of 7 bits.
pub const NINETY: LiteralType = 0x5a;
/// A constant of 30 bits.
pub const PATTERN: LiteralType = 0x2d_5a_5a_a5;

/// A sub-block for the kernels: adds two numbers and a carry.
#[derive(LogicBlock, Default)]
pub struct Mixer<const N: usize> {
    /// First number.
    pub left: Signal<In, Bits<N>>,
    /// Second number.
    pub right: Signal<In, Bits<N>>,
    /// Added, too.
    pub carry: Signal<In, Bit>,
    /// Modulo 256.
    pub sum: Signal<Out, Bits<8>>,
}

impl<const N: usize> Logic for Mixer<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = bit_cast::<8, N>(self.left.val()) + bit_cast::<8, N>(self.right.val()) + self.carry.val();
    }
}

/// Ports that travel together.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct Bundle {
    /// A number.
    pub number: Signal<In, Bits<6>>,
    /// Three of them.
    pub several: Many<Signal<In, Bits<5>>, 3>,
    /// What becomes of the number.
    pub answer: Signal<Out, Bits<6>>,
    /// What becomes of the three.
    pub answers: Many<Signal<Out, Bits<5>>, 3>,
}

/// A sub-block for the kernels, whose bundle another block serves.
#[derive(LogicBlock, Default)]
pub struct Relay {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Reset.
    pub reset: Signal<In, Bit>,
    /// A number.
    pub bus: Bundle,
    server: Server,
}

impl Logic for Relay {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, server);
        Bundle::link(&mut self.bus, &mut self.server.bus);
    }
}

/// Adds one to the number, and keeps the three for a cycle.
#[derive(LogicBlock, Default)]
pub struct Server {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Reset.
    pub reset: Signal<In, Bit>,
    /// A number.
    pub bus: Bundle,
    held: Registers<Bits<5>, 3>,
}

impl Logic for Server {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        Arrays::join(&mut self.held.d, &mut self.bus.several);
        Arrays::join(&mut self.bus.answers, &mut self.held.q);
        self.bus.answer.next = self.bus.number.val() + 1;
    }
}

/// A port of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    /// Field name, which is also the name in Verilog.
    pub name: &'static str,
    /// Bits of all elements.
    pub width: usize,
    /// Else an output.
    pub is_input: bool,
}

/// A kernel that a test can run without knowing its type.
pub trait Kernel {
    /// Name of the type.
    fn name(&self) -> &'static str;
    /// Ports in order, without clock and reset.
    fn ports(&self) -> Vec<Port>;
    /// Takes the inputs from the stream, in order of the ports.
    fn drive(&mut self, values: &mut Bitstream);
    /// Appends the outputs to the stream, in order of the ports.
    fn observe(&self, values: &mut Bitstream);
    /// Sets the clock.
    fn set_clock(&mut self, level: bool);
    /// Sets the reset.
    fn set_reset(&mut self, level: bool);
    /// One step of the simulation; true if anything changed.
    fn advance(&mut self) -> bool;
    /// The Verilog of our writer.
    ///
    /// # Errors
    /// What the writer refuses.
    fn emitted(&self, name: &str) -> Result<Vec<EmittedModule>, Refusal>;
    /// The Verilog of rust-hdl's generator.
    fn original(&self) -> String;
}

/// Updates after which a kernel counts as not settling.
const MOST_UPDATES: usize = 1000;

/// Updates until nothing changes.
///
/// # Panics
/// If that does not happen.
pub fn settle(kernel: &mut dyn Kernel) {
    for _ in 0..MOST_UPDATES {
        if !kernel.advance() {
            return;
        }
    }
    panic!("{} does not settle", kernel.name());
}

/// `source` is the file that declares the block.
fn emit<B: Block>(block: &B, name: &str, source: &str) -> Result<Vec<EmittedModule>, Refusal> {
    verilog::modules(block, name, "", &[include_str!("lib.rs"), source])
}

fn original<B: Block>(block: &B) -> String {
    generate_verilog_unchecked(block)
}

fn connected<K: Kernel + Block + Default + 'static>() -> Box<dyn Kernel> {
    let mut kernel = Box::new(K::default());
    kernel.connect_all();
    kernel
}

/// What rust-hdl's own generator translates wrongly, in one block.
#[derive(LogicBlock, Default)]
pub struct KnownDefects {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Reset.
    pub reset: Signal<In, Bit>,
    /// First operand.
    pub a: Signal<In, Bits<4>>,
    /// Second operand.
    pub b: Signal<In, Bits<4>>,
    /// What the first two are compared with.
    pub c: Signal<In, Bits<4>>,
    /// A sum in 4 bits: Verilog computes it in the 8 bits of its context.
    pub sum: Signal<Out, Bits<8>>,
    /// `&` binds tighter than `==` in Rust, but not in Verilog.
    pub equal: Signal<Out, Bit>,
}

impl Logic for KnownDefects {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = bit_cast::<8, 4>(self.a.val() + self.b.val());
        self.equal.next = self.a.val() & self.b.val() == self.c.val();
    }
}

impl Kernel for KnownDefects {
    fn name(&self) -> &'static str {
        "KnownDefects"
    }

    fn ports(&self) -> Vec<Port> {
        vec![
            Port { name: "a", width: 4, is_input: true },
            Port { name: "b", width: 4, is_input: true },
            Port { name: "c", width: 4, is_input: true },
            Port { name: "sum", width: 8, is_input: false },
            Port { name: "equal", width: 1, is_input: false },
        ]
    }

    fn drive(&mut self, values: &mut Bitstream) {
        self.a.next = values.take();
        self.b.next = values.take();
        self.c.next = values.take();
    }

    fn observe(&self, values: &mut Bitstream) {
        values.put(self.sum.val());
        values.put(self.equal.val());
    }

    fn set_clock(&mut self, level: bool) {
        self.clock.next = level.into();
    }

    fn set_reset(&mut self, level: bool) {
        self.reset.next = level;
    }

    fn advance(&mut self) -> bool {
        self.update_all();
        self.has_changed()
    }

    fn emitted(&self, name: &str) -> Result<Vec<EmittedModule>, Refusal> {
        emit(self, name, "")
    }

    fn original(&self) -> String {
        original(self)
    }
}

/// The block of the known defects, connected.
pub fn known_defects() -> Box<dyn Kernel> {
    connected::<KnownDefects>()
}

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
