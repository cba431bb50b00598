//! The memory agent: the other end of one unit's memory port, with latency, reordering, backpressure and errors.
//!
//! A write takes effect in the cycle of its request's transfer, unless its response will be an error; a read returns what
//! memory holds in the cycle in which its response is first presented. What the second-level cache holds takes the least
//! latency; anything else draws one from the upper half of the range.

use lsu_model::pins::{Inputs, MemoryResponse, Outputs, SECTOR_WORDS};

use super::breaker::Breaker;
use super::channel::Channel;
use super::{Memory, Weather, WeatherStream};
use crate::program::{BreachPort, IDEAL_LATENCY, Latency, Program};
use crate::random::Random;

/// Requests that a port can have in flight: ids have 8 bits.
const IDS: usize = 256;

/// First id of the global path's requests.
const FIRST_GLOBAL_ID: u8 = 64;

#[derive(Clone, Copy, Debug)]
struct Pending {
    address: u64,
    id: u8,
    is_write: bool,
    is_error: bool,
}

/// The memory side of one port.
#[derive(Debug)]
pub struct Agent {
    random: Random,
    latency: Latency,
    error_percent: u8,
    /// Sectors whose accesses all fail, in ascending order.
    failing: Vec<u64>,
    breaker: Breaker,
    pending: Channel<Pending>,
    /// A response is on the pins.
    is_answering: bool,
}

impl Agent {
    /// The agent at the port of the unit number `sm` of `program`.
    pub fn new(program: &Program, sm: u32) -> Self {
        let sector = |address: &u64| address & !(4 * SECTOR_WORDS as u64 - 1);
        let mut failing: Vec<u64> = program.failing.iter().map(sector).collect();
        failing.sort_unstable();
        let constant = 0..2 * program.preset.constant_misses as u8;
        let global = FIRST_GLOBAL_ID..FIRST_GLOBAL_ID + 4 * program.preset.misses as u8;
        Self {
            random: Random::new(program.traffic.seed, u64::from(sm)),
            latency: program.traffic.latency,
            error_percent: program.traffic.error,
            failing,
            breaker: Breaker::new(program, BreachPort::Memory, IDS, [constant, global]),
            pending: Channel::new(program.traffic.latency, IDS),
            is_answering: false,
        }
    }

    /// Whether nothing is in flight.
    pub fn is_idle(&self) -> bool {
        self.pending.is_empty() && !self.is_answering
    }

    /// It is reset with the unit: what it was asked is not answered.
    pub fn forget(&mut self) {
        self.pending.clear();
        self.breaker.forget();
        self.is_answering = false;
    }

    /// Drives the memory pins of `cycle`.
    pub fn present(&mut self, cycle: u64, weather: &Weather, memory: &Memory, inputs: &mut Inputs) {
        inputs.mem_req_ready = !weather.stalls(WeatherStream::MemoryRequest);
        if !self.is_answering
            && !weather.stalls(WeatherStream::MemoryResponse)
            && let Some(pending) = self.pending.receive(cycle, &mut self.random)
            && let Some(pending) = self.coming(cycle, pending)
        {
            self.is_answering = true;
            inputs.mem_rsp = MemoryResponse {
                id: pending.id,
                // The data of an error and of a write's response mean nothing: noise, and what is not there, show where they are used.
                data: match pending {
                    Pending { is_error: true, .. } => std::array::from_fn(|_| self.random.next_bits() as u32),
                    Pending { is_write: true, .. } => memory.read(pending.address).map(|word| !word),
                    _ => memory.read(pending.address),
                },
                error: pending.is_error,
            };
        }
        inputs.mem_rsp_valid = self.is_answering;
    }

    /// What comes of the response `pending`, which is ready to come in `cycle`; what a breach adds to it is sent after it.
    fn coming(&mut self, cycle: u64, pending: Pending) -> Option<Pending> {
        let arrival = self.breaker.arrive(pending.id);
        if let Some(id) = arrival.another {
            self.pending.send(cycle, Pending { id, ..pending });
        }
        arrival.id.map(|id| Pending { id, ..pending })
    }

    /// The latency of a request, by whether its sector is in the second-level cache.
    fn draw_latency(&mut self, is_present: bool) -> u32 {
        match self.latency {
            Latency::Ideal => IDEAL_LATENCY,
            Latency::Between { least, .. } if is_present => least,
            Latency::Between { least, most } => {
                let middle = least + (most - least).div_ceil(2);
                middle + self.random.below(u64::from(most - middle) + 1) as u32
            }
        }
    }

    /// Takes note of the transfers of `cycle`. Returns whether memory has taken a write.
    pub fn observe(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs, memory: &mut Memory) -> bool {
        let mut is_written = false;
        if outputs.mem_req_valid && inputs.mem_req_ready {
            let request = &outputs.mem_req;
            let is_present = memory.l2_mut().access(request);
            let latency = self.draw_latency(is_present);
            let is_unlucky = self.error_percent != 0 && self.random.chance(self.error_percent);
            let is_error = is_unlucky || self.failing.binary_search(&request.addr).is_ok();
            if request.write && !is_error {
                memory.write(request.addr, request.strb, &request.data);
                is_written = true;
            }
            self.breaker.ask(request.id);
            let pending = Pending { address: request.addr, id: request.id, is_write: request.write, is_error };
            self.pending.send(cycle + u64::from(latency), pending);
        }
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready {
            self.breaker.answer(inputs.mem_rsp.id);
            self.is_answering = false;
        }
        is_written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Contents, MemoryBlock, MemorySpace, Traffic};
    use lsu_model::pins::MemoryRequest;
    use lsu_model::preset::WARP32;

    /// One agent on a memory that holds its own addresses.
    struct Bench {
        agent: Agent,
        memory: Memory,
        weather: Weather,
        inputs: Inputs,
        cycle: u64,
    }

    impl Bench {
        fn new(traffic: Traffic) -> Self {
            let mut program = Program { traffic, ..Program::empty(WARP32) };
            program.memory.push(MemoryBlock {
                space: MemorySpace::Global,
                address: 0,
                bytes: 0x1_0000,
                contents: Contents::Address,
            });
            Self {
                agent: Agent::new(&program, 0),
                memory: Memory::new(&program),
                weather: Weather::new(&traffic, 0),
                inputs: Inputs::default(),
                cycle: 0,
            }
        }

        /// One cycle in which `request` is offered and responses are taken: the response, if there is one.
        fn step(&mut self, request: Option<MemoryRequest>) -> Option<MemoryResponse> {
            self.weather.begin(self.cycle);
            self.agent.present(self.cycle, &self.weather, &self.memory, &mut self.inputs);
            let mut outputs = Outputs { mem_rsp_ready: true, ..Outputs::default() };
            if let Some(request) = request {
                (outputs.mem_req_valid, outputs.mem_req) = (true, request);
            }
            self.agent.observe(self.cycle, &self.inputs, &outputs, &mut self.memory);
            self.cycle += 1;
            self.inputs.mem_rsp_valid.then_some(self.inputs.mem_rsp)
        }

        /// Sends `request`, and waits for its response: latency and payload.
        fn ask(&mut self, request: MemoryRequest) -> (u64, MemoryResponse) {
            let begin = self.cycle;
            let mut answer = self.step(Some(request));
            while answer.is_none() {
                assert!(self.cycle < begin + 1000);
                answer = self.step(None);
            }
            (self.cycle - 1 - begin, answer.expect("there is one"))
        }
    }

    fn traffic(least: u32, most: u32) -> Traffic {
        Traffic { stall: 0, latency: Latency::Between { least, most }, ..Traffic::default() }
    }

    fn read(addr: u64) -> MemoryRequest {
        MemoryRequest { id: 200, addr, ..MemoryRequest::default() }
    }

    #[test]
    fn what_the_second_level_holds_comes_first() {
        let mut bench = Bench::new(traffic(5, 41));
        let prefetching = MemoryRequest { prefetch: 2, ..read(0x1000) };
        let (latency, response) = bench.ask(prefetching);
        assert!((23..=41).contains(&latency), "{latency}");
        assert_eq!((response.id, response.data[1]), (200, 0x1004));
        for addr in [0x1000, 0x1060] {
            assert_eq!(bench.ask(read(addr)).0, 5);
        }
        assert!(bench.ask(read(0x1080)).0 >= 23);
        let mut ideal = Bench::new(Traffic { stall: 0, latency: Latency::Ideal, ..Traffic::default() });
        assert_eq!([ideal.ask(read(0)).0, ideal.ask(read(0)).0], [20, 20]);
    }

    #[test]
    fn a_write_takes_effect_at_once_and_a_read_when_it_is_answered() {
        let mut bench = Bench::new(traffic(10, 10));
        bench.step(Some(read(0x40)));
        let data = [7; SECTOR_WORDS];
        let write = MemoryRequest { id: 201, write: true, strb: 0xf0, data, ..read(0x40) };
        bench.step(Some(write));
        assert_eq!(bench.memory.word(0x44), 7);
        let answers: Vec<MemoryResponse> = (0..20).filter_map(|_| bench.step(None)).collect();
        assert_eq!(answers.iter().map(|answer| answer.id).collect::<Vec<_>>(), [200, 201]);
        assert_eq!(answers[0].data[..3], [0x40, 7, 0x48]);
        // Nobody looks at the data of a write's response.
        assert_eq!(answers[1].data[..3], [!0x40, !7, !0x48]);
    }

    #[test]
    fn a_write_that_fails_changes_nothing() {
        let mut bench = Bench::new(Traffic { error: 100, ..traffic(3, 3) });
        let write = MemoryRequest { write: true, strb: u32::MAX, data: [7; SECTOR_WORDS], ..read(0x40) };
        assert!(bench.ask(write).1.error);
        assert_eq!(bench.memory.word(0x40), 0x40);
    }

    #[test]
    fn errors_can_be_aimed() {
        let mut bench = Bench::new(traffic(3, 3));
        let program = Program { failing: vec![0x1047, 0x80], traffic: traffic(3, 3), ..Program::empty(WARP32) };
        bench.agent = Agent::new(&program, 0);
        for (addr, fails) in [(0x1020, false), (0x1040, true), (0x1060, false), (0x80, true), (0x47, false)] {
            assert_eq!(bench.ask(read(addr)).1.error, fails, "{addr:#x}");
        }
        bench.ask(MemoryRequest { write: true, strb: u32::MAX, data: [7; SECTOR_WORDS], ..read(0x80) });
        assert_eq!(bench.memory.word(0x80), 0x80);
    }

    #[test]
    fn every_id_is_answered_once_in_another_order() {
        let mut bench = Bench::new(traffic(2, 300));
        let mut before = 0;
        for id in 0..=255 {
            let answer = bench.step(Some(MemoryRequest { id, ..read(128 * u64::from(id)) }));
            before += usize::from(answer.is_some());
            assert_eq!(answer.filter(|answer| answer.data[0] != 128 * u32::from(answer.id)), None);
        }
        let later: Vec<u8> = (0..1000).filter_map(|_| bench.step(None)).map(|answer| answer.id).collect();
        assert!(bench.agent.is_idle());
        assert_eq!(before + later.len(), 256);
        assert!(!later.is_sorted());
    }
}
