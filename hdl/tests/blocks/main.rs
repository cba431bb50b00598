//! The blocks that are used more than once, each alone in rust_hdl's simulation, against the few lines that everybody has in mind
//! for it, on random inputs that keep to its contracts. The models follow the blocks' pages, not their kernels.

mod axi;
mod board;
mod cluster;
mod memories;
mod queues;
mod rows;
mod single_bits;
mod tags;

use proptest::prelude::*;
use rust_hdl::prelude::{Bits, Block};

/// Updates after which a block counts as looping.
const MOST_UPDATES: usize = 100;

/// Random bits of one cycle.
struct Draw(u128);

impl Draw {
    /// A number of `width` bits, at most 64.
    fn number(&mut self, width: u32) -> u64 {
        let value = self.0 & ((1 << width) - 1);
        self.0 >>= width;
        value as u64
    }

    fn bit(&mut self) -> bool {
        self.number(1) == 1
    }

    fn bits<const N: usize>(&mut self) -> Bits<N> {
        self.number(N as u32).into()
    }
}

/// A failing input is printed; no file is kept of it.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// The random bits of some cycles.
fn cycles(most: usize) -> impl Strategy<Value = Vec<u128>> {
    prop::collection::vec(any::<u128>(), 1..most)
}

fn settle(block: &mut impl Block) {
    for _ in 0..MOST_UPDATES {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("a combinational loop");
}

/// Lets the outputs follow the inputs.
macro_rules! settled {
    ($block: ident) => {
        $block.clock.next = false.into();
        crate::settle(&mut *$block);
    };
}

/// Gives the edge that ends the cycle.
macro_rules! edge {
    ($block: ident) => {
        $block.clock.next = true.into();
        crate::settle(&mut *$block);
    };
}

/// A block after the edge of its reset, together with which `also` are 1.
macro_rules! after_reset {
    ($kind: ty $(, $also: ident)*) => {{
        let mut block = Box::<$kind>::default();
        rust_hdl::prelude::Block::connect_all(&mut *block);
        block.reset.next = true;
        $(block.$also.next = true;)*
        settled!(block);
        edge!(block);
        block.reset.next = false;
        block
    }};
}

pub(crate) use {after_reset, edge, settled};
