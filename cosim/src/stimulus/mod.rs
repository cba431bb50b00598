//! What surrounds the units: the memory side, and the driver that turns a program into pins.

mod agent;
mod driver;
mod l2;
mod memory;
mod tags;
mod weather;

pub use agent::Agent;
pub use driver::{Driver, Finished, Progress};
pub use l2::{L2, L2Counts};
pub use memory::Memory;
pub use weather::{Weather, WeatherStream};
