//! The architectural oracle tells right from wrong.

mod cluster;
mod constant_loads;
mod global;
mod judges;
mod local;
mod shared;
mod windows;
