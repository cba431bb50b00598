//! Random kernels as Rust source.

mod expression;
mod kernel;
mod random;

use random::Random;

/// The source of `count` kernels and of the list of them.
pub fn source(seed: u64, count: u64) -> String {
    let mut text = String::new();
    for number in 0..count {
        // Each kernel has a seed of its own, so that it stays the same when the others change.
        let mut random = Random::new(seed.wrapping_mul(0x1_0000_0000).wrapping_add(number));
        text.push_str(&kernel::source(&mut random, number));
    }
    text.push_str("/// All kernels, connected.\npub fn kernels() -> Vec<Box<dyn Kernel>> {\n    vec![\n");
    for number in 0..count {
        text.push_str(&format!("        connected::<Kernel{number}>(),\n"));
    }
    text.push_str("    ]\n}\n");
    text
}
