//! Writes the source of the random kernels.
//!
//! `LSU_KERNEL_SEED` and `LSU_KERNEL_COUNT` choose other kernels than the default ones.

mod generator;

use std::path::PathBuf;
use std::{env, fs};

/// Kernels of a default build: enough to use every operator many times, few enough to compile quickly.
const COUNT: u64 = 180;

fn main() {
    println!("cargo::rerun-if-env-changed=LSU_KERNEL_SEED");
    println!("cargo::rerun-if-env-changed=LSU_KERNEL_COUNT");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=generator");
    let seed = number("LSU_KERNEL_SEED", 1);
    let count = number("LSU_KERNEL_COUNT", COUNT);
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (name, text) in generator::sources(seed, count) {
        fs::write(folder.join(name), text).expect("OUT_DIR is writable");
    }
}

fn number(name: &str, default: u64) -> u64 {
    match env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")),
        Err(_) => default,
    }
}
