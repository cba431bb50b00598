//! `Many`: an array of signals or of blocks that has a default value; `Arrays`: what gives one the values of another.
//!
//! The standard library gives `[T; N]` a default value for the first few lengths only, so that a block with an array whose length
//! is a constant of its own would have to be constructed field by field.

use std::array::from_fn;
use std::ops::{Deref, DerefMut};

use rust_hdl::prelude::*;

/// `N` signals, or `N` blocks, that share a name: `[T; N]` with a default value.
#[derive(Clone, Debug)]
pub struct Many<T, const N: usize>([T; N]);

impl<T: Default, const N: usize> Default for Many<T, N> {
    fn default() -> Self {
        Self(from_fn(|_| T::default()))
    }
}

impl<T, const N: usize> Deref for Many<T, N> {
    type Target = [T; N];

    fn deref(&self) -> &[T; N] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Many<T, N> {
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl<T: Logic, const N: usize> Logic for Many<T, N> {
    fn update(&mut self) {}
}

impl<T: Block, const N: usize> Block for Many<T, N> {
    fn connect_all(&mut self) {
        self.0.connect_all();
    }

    fn update_all(&mut self) {
        self.0.update_all();
    }

    fn has_changed(&self) -> bool {
        self.0.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.0.accept(name, probe);
    }
}

impl<T: LogicJoin, const N: usize> LogicJoin for Many<T, N> {
    fn join_connect(&mut self) {
        self.0.iter_mut().for_each(T::join_connect);
    }
}

impl<T: LogicLink, const N: usize> LogicLink for Many<T, N> {
    fn link(&mut self, other: &mut Self) {
        self.0.iter_mut().zip(&mut other.0).for_each(|(outer, inner)| outer.link(inner));
    }

    fn link_hdl(name: &str, outer: &str, inner: &str) -> Vec<ast::VerilogLink> {
        T::link_hdl(name, outer, inner)
    }

    fn link_connect_source(&mut self) {
        self.0.iter_mut().for_each(T::link_connect_source);
    }

    fn link_connect_dest(&mut self) {
        self.0.iter_mut().for_each(T::link_connect_dest);
    }
}

/// A signal whose value a kernel reads: `val` of all directions.
pub trait Readable<T> {
    /// Its value.
    fn value(&self) -> T;
}

macro_rules! readable {
    ($($direction:ident)+) => {
        $(impl<T: Synth> Readable<T> for Signal<$direction, T> {
            fn value(&self) -> T {
                self.val()
            }
        })+
    };
}

readable!(In Out Local);

/// `Arrays::join(&mut self.a, &mut self.b)` in a kernel gives each signal of `a` the value of its fellow in `b`.
///
/// It takes the name of rust-hdl's joins because `hdl_gen` accepts no other.
pub struct Arrays;

impl Arrays {
    /// In the simulation.
    pub fn join<D: Direction, T: Synth, const N: usize>(
        to: &mut Many<Signal<D, T>, N>,
        from: &mut Many<impl Readable<T>, N>,
    ) {
        to.iter_mut().zip(from.iter()).for_each(|(to, from)| to.next = from.value());
    }

    /// In the syntax tree.
    pub fn join_hdl(name: &str, to: &str, from: &str) -> Vec<ast::VerilogLink> {
        Signal::<Out, Bit>::link_hdl(name, to, from)
    }
}
