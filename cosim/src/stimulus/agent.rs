//! The memory agent: the other end of one unit's memory port, with latency, reordering, backpressure and errors.

use lsu_model::pins::{Inputs, MemoryResponse, Outputs, SECTOR_WORDS};

use super::{Memory, Weather, WeatherStream};
use crate::program::{IDEAL_LATENCY, Latency, Traffic};
use crate::random::Random;

/// Requests that a port can have in flight: ids have 6 bits.
const IDS: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Pending {
    due: u64,
    address: u64,
    id: u8,
    is_write: bool,
    is_error: bool,
}

/// What the agent remembers of the response on the pins.
#[derive(Clone, Copy, Debug)]
struct Answer {
    address: u64,
    is_error: bool,
}

/// The memory side of one port.
#[derive(Debug)]
pub struct Agent {
    random: Random,
    latency: Latency,
    error_percent: u8,
    pending: Vec<Pending>,
    current: Option<Answer>,
}

impl Agent {
    /// The agent at the port of the unit number `sm`.
    pub fn new(traffic: &Traffic, sm: u32) -> Self {
        Self {
            random: Random::new(traffic.seed, u64::from(sm)),
            latency: traffic.latency,
            error_percent: traffic.error,
            pending: Vec::with_capacity(IDS),
            current: None,
        }
    }

    /// Whether nothing is in flight.
    pub fn is_idle(&self) -> bool {
        self.pending.is_empty() && self.current.is_none()
    }

    /// Drives the memory pins of `cycle`.
    pub fn present(&mut self, cycle: u64, weather: &Weather, memory: &Memory, inputs: &mut Inputs) {
        inputs.mem_req_ready = !weather.stalls(WeatherStream::MemoryRequest);
        if self.current.is_none()
            && !weather.stalls(WeatherStream::MemoryResponse)
            && let Some(index) = self.choose(cycle)
        {
            let pending = self.pending.remove(index);
            self.current = Some(Answer { address: pending.address, is_error: pending.is_error });
            inputs.mem_rsp = MemoryResponse {
                id: pending.id,
                // The data of an error response means nothing; noise shows where it is used.
                data: match pending {
                    Pending { is_error: true, .. } => std::array::from_fn(|_| self.random.next_bits() as u32),
                    Pending { is_write: true, .. } => [0; SECTOR_WORDS],
                    _ => memory.read(pending.address),
                },
                error: pending.is_error,
            };
        }
        inputs.mem_rsp_valid = self.current.is_some();
    }

    /// A response that is due: the oldest if memory is ideal, otherwise any.
    fn choose(&mut self, cycle: u64) -> Option<usize> {
        let due = self.pending.iter().filter(|pending| pending.due <= cycle).count() as u64;
        if due == 0 {
            return None;
        }
        let rank = match self.latency {
            Latency::Ideal => 0,
            Latency::Between { .. } => self.random.below(due) as usize,
        };
        self.pending.iter().enumerate().filter(|(_, pending)| pending.due <= cycle).nth(rank).map(|(index, _)| index)
    }

    /// Takes note of the transfers of `cycle`. The address of a response that carried an error and was taken is
    /// returned.
    pub fn observe(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs, memory: &mut Memory) -> Option<u64> {
        if outputs.mem_req_valid && inputs.mem_req_ready {
            let request = &outputs.mem_req;
            let latency = match self.latency {
                Latency::Ideal => IDEAL_LATENCY,
                Latency::Between { least, most } => least + self.random.below(u64::from(most - least) + 1) as u32,
            };
            let is_error = self.error_percent != 0 && self.random.chance(self.error_percent);
            if request.write && !is_error {
                memory.write(request.addr, request.strb, &request.data);
            }
            self.pending.push(Pending {
                due: cycle + u64::from(latency),
                address: request.addr,
                id: request.id,
                is_write: request.write,
                is_error,
            });
        }
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready {
            let answer = self.current.take();
            return answer.filter(|answer| answer.is_error).map(|answer| answer.address);
        }
        None
    }
}
