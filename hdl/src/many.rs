//! `Many`: an array of signals or of blocks that has a default value.
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
