//! Random kernels as Rust source.

mod expression;
mod kernel;
mod random;

use random::Random;

/// The files of `count` kernels, one for each, and of the list of them, with their names.
pub fn sources(seed: u64, count: u64) -> Vec<(String, String)> {
    let mut files = vec![];
    let mut list = String::new();
    for number in 0..count {
        // Each kernel has a seed of its own, so that it stays the same when the others change.
        let mut random = Random::new(seed.wrapping_mul(0x1_0000_0000).wrapping_add(number));
        files.push((format!("kernel_{number}.rs"), kernel::source(&mut random, number)));
        list.push_str(&format!("include!(\"kernel_{number}.rs\");\n"));
    }
    list.push_str("/// All kernels, connected.\npub fn kernels() -> Vec<Box<dyn Kernel>> {\n    vec![\n");
    for number in 0..count {
        list.push_str(&format!("        connected::<Kernel{number}>(),\n"));
    }
    list.push_str("    ]\n}\n");
    files.push(("kernels.rs".to_string(), list));
    files
}
