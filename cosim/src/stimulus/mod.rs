//! What surrounds the units: the memory side, the network between them, and the driver that turns a program into pins.

mod agent;
mod breaker;
mod channel;
mod driver;
mod host;
mod l2;
mod memory;
mod network;
mod strangers;
mod tags;
mod weather;

pub use agent::Agent;
pub use driver::{Driver, Finished, Progress};
pub use l2::{L2, L2Counts};
pub use memory::Memory;
pub use network::Network;
pub use weather::{Weather, WeatherStream};
