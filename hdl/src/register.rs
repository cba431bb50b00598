//! Flip-flops with a synchronous, active-high reset.
//!
//! These are the only state-holding primitives besides [`Memory`](crate::memory::Memory) and
//! [`StrobeMemory`](crate::strobe_memory::StrobeMemory). The
//! Verilog writer emits them inline as a clocked `always` of the enclosing module, never as
//! instances. There is no clock enable and no asynchronous reset.

use rust_hdl::prelude::*;

use crate::Many;
use crate::verilog::REGISTER;

/// One register: on the rising edge of `clock`, `q` becomes `T::default()` if `reset`, else `d`.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Register<T: Synth> {
    /// Rising edge loads the register.
    pub clock: Signal<In, Clock>,
    /// Synchronous and active high: loads the default value of `T`.
    pub reset: Signal<In, Bit>,
    /// Value after the next rising edge.
    pub d: Signal<In, T>,
    /// Value since the last rising edge.
    pub q: Signal<Out, T>,
}

impl<T: Synth> Register<T> {
    /// Keeps the value unless a later assignment in the same kernel gives `d` another one.
    pub fn hold(&mut self) {
        self.d.next = self.q.val();
    }
}

impl<T: Synth> Logic for Register<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { T::default() } else { self.d.val() };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
        // `dff_setup!` wires the reset where rust-hdl's own expansion of its name cannot see it.
        self.reset.connect();
    }

    fn hdl(&self) -> Verilog {
        marked::<T>()
    }
}

/// What the Verilog writer knows a register by.
fn marked<T: Synth>() -> Verilog {
    Verilog::Custom(format!("{REGISTER}{:x}", T::default().verilog()))
}

/// `N` registers that share a clock and a reset: an array without `N` copies of both.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Registers<T: Synth, const N: usize> {
    /// Rising edge loads all registers.
    pub clock: Signal<In, Clock>,
    /// Synchronous and active high: loads the default value of `T` everywhere.
    pub reset: Signal<In, Bit>,
    /// Values after the next rising edge.
    pub d: Many<Signal<In, T>, N>,
    /// Values since the last rising edge.
    pub q: Many<Signal<Out, T>, N>,
}

impl<T: Synth, const N: usize> Registers<T, N> {
    /// Keeps every value unless a later assignment in the same kernel gives its `d` another one.
    pub fn hold(&mut self) {
        for (d, q) in self.d.iter_mut().zip(self.q.iter()) {
            d.next = q.val();
        }
    }
}

impl<T: Synth, const N: usize> Logic for Registers<T, N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let reset = self.reset.val();
            for (d, q) in self.d.iter().zip(self.q.iter_mut()) {
                q.next = if reset { T::default() } else { d.val() };
            }
        }
    }

    fn connect(&mut self) {
        self.reset.connect();
        self.d.iter_mut().for_each(Logic::connect);
        self.q.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        marked::<T>()
    }
}

/// `dff_setup!(self, clock, a, b)` sets up registers in a kernel: clock from `self.clock`, reset
/// from `self.reset`, and "keep the value" as the default of `d`.
///
/// It takes the name of rust-hdl's macro because `hdl_gen` accepts no other, and adds the reset and
/// [`Registers`]. The block must have a signal named `reset`.
#[macro_export]
macro_rules! dff_setup {
    ($self: ident, $clock: ident, $($register: ident),+ $(,)?) => {
        $crate::clock!($self, $clock, $($register),+);
        $($self.$register.hold();)+
    };
}

/// `clock!(self, clock, a, b)` gives the blocks `a` and `b` the clock `self.clock` and the reset `self.reset`.
///
/// It takes the name of rust-hdl's macro because `hdl_gen` accepts no other, and adds the reset.
#[macro_export]
macro_rules! clock {
    ($self: ident, $clock: ident, $($block: ident),+ $(,)?) => {
        $(
            $self.$block.clock.next = $self.$clock.val();
            $self.$block.reset.next = $self.reset.val();
        )+
    };
}
