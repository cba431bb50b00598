//! The network between the units, which are the CTAs of one cluster, each with its rank. A request that leaves a
//! unit by `cluster_req` comes to the `serve_req` of the unit whose rank it names, and the response on its `serve_rsp` goes back to
//! `cluster_rsp`.
//!
//! Each way takes half of what memory takes. Requests and responses have channels of their own: requests that nobody takes hold up
//! no response. A unit can have so many requests on their way to others; while it has, `cluster_req_ready` is low. The
//! network itself answers, with an error, what is for a rank that no unit has, and as many others as memory fails. What strangers are
//! answered goes nowhere.

use std::iter;

use lsu_model::pins::{ClusterRequest, ClusterResponse, Inputs, Outputs, ServeRequest, ServeResponse};

use super::breaker::Breaker;
use super::channel::Channel;
use super::host::Host;
use super::strangers::Strangers;
use super::{Weather, WeatherStream};
use crate::program::{BreachPort, IDEAL_LATENCY, Latency, Program};
use crate::random::Random;

/// Stream number of latencies, order and errors, far from those of the agents.
const NETWORK_STREAM: u64 = 0x6e_6574_776f_726b;

/// Requests that a unit can have in flight: ids have 6 bits.
const IDS: usize = 64;

/// log2 of [`IDS`], and one more: how many rooms there are.
const ROOMS: u64 = 7;

/// What is at one unit's ports, or on its way there.
#[derive(Debug)]
struct Station {
    /// That of the unit's CTA.
    rank: u8,
    /// On their way to `serve_req`.
    requests: Channel<ServeRequest>,
    /// On their way to `cluster_rsp`.
    responses: Channel<ClusterResponse>,
    /// Requests of this unit that are on their way to others.
    sent: usize,
    /// Ids of this unit whose last request was a write.
    writes: u64,
    /// A request is on the pins.
    is_asked: bool,
    /// A response is on the pins.
    is_answered: bool,
    breaker: Breaker,
    host: Host,
    strangers: Strangers,
}

/// The network.
#[derive(Debug)]
pub struct Network {
    random: Random,
    latency: Latency,
    error_percent: u8,
    /// How many requests of one unit can be on their way.
    room: usize,
    /// Requests that have been taken from `cluster_req`, and whose responses have not been taken.
    unanswered: usize,
    stations: Vec<Station>,
}

impl Network {
    /// The network between the units of `program`.
    pub fn new(program: &Program) -> Self {
        let mut random = Random::new(program.traffic.seed, NETWORK_STREAM);
        let latency = program.traffic.latency;
        let room = match latency {
            Latency::Ideal => IDS,
            Latency::Between { .. } => 1 << random.below(ROOMS),
        };
        let ids = 0..4 * program.preset.misses as u8;
        let station = |sm| Station {
            rank: program.windows(sm).rank,
            requests: Channel::new(latency, IDS),
            responses: Channel::new(latency, IDS),
            sent: 0,
            writes: 0,
            is_asked: false,
            is_answered: false,
            breaker: Breaker::new(program, BreachPort::Cluster, IDS, iter::once(ids.clone())),
            host: Host::new(program, sm),
            strangers: Strangers::new(program, sm),
        };
        Self {
            random,
            latency,
            error_percent: program.traffic.error,
            room,
            unanswered: 0,
            stations: (0..program.sms).map(station).collect(),
        }
    }

    /// Whether no unit waits for another, and the host for none.
    pub fn is_idle(&self) -> bool {
        self.unanswered == 0
            && self.stations.iter().all(|station| station.host.is_idle() && station.strangers.is_idle())
    }

    /// Whether shared memory holds what the program says it begins with; before, no operation may begin.
    pub fn is_filled(&self) -> bool {
        self.stations.iter().all(|station| station.host.is_filled())
    }

    /// Sectors that the host has filled or read, so that somebody who waits sees that it goes on.
    pub fn host_accesses(&self) -> usize {
        self.stations.iter().map(|station| station.host.accesses()).sum()
    }

    /// The operations are over: the host reads what the program wants to know of shared memory.
    pub fn read_back(&mut self) {
        self.stations.iter_mut().for_each(|station| station.host.read_back());
    }

    /// Strangers ask no more: nobody is there whom they could disturb.
    pub fn dismiss_strangers(&mut self) {
        self.stations.iter_mut().for_each(|station| station.strangers.leave());
    }

    /// What has been read back of the shared memory of unit `sm`: the word at `address`, a multiple of 4, or 0.
    pub fn word(&self, sm: u32, address: u64) -> u32 {
        self.stations.get(sm as usize).map_or(0, |station| station.host.word(address))
    }

    /// All units are reset and the network with them: nothing that was asked is answered.
    pub fn forget(&mut self) {
        self.unanswered = 0;
        for station in &mut self.stations {
            station.requests.clear();
            station.responses.clear();
            (station.sent, station.is_asked, station.is_answered) = (0, false, false);
            station.breaker.forget();
            station.host.forget();
            station.strangers.forget();
        }
    }

    /// Drives the pins of `cycle` of unit `sm`.
    pub fn present(&mut self, cycle: u64, sm: u32, weather: &Weather, inputs: &mut Inputs) {
        let room = self.room;
        let station = &mut self.stations[sm as usize];
        inputs.cluster_req_ready = station.sent < room && !weather.stalls(WeatherStream::ClusterRequest);
        inputs.serve_rsp_ready = !weather.stalls(WeatherStream::ServeResponse);
        if !station.is_answered
            && !weather.stalls(WeatherStream::ClusterResponse)
            && let Some(response) = station.responses.receive(cycle, &mut self.random)
        {
            let arrival = station.breaker.arrive(response.id);
            if let Some(id) = arrival.another {
                station.responses.send(cycle, ClusterResponse { id, ..response });
            }
            if let Some(id) = arrival.id {
                inputs.cluster_rsp = ClusterResponse { id, ..response };
                station.is_answered = true;
            }
        }
        inputs.cluster_rsp_valid = station.is_answered;
        // In the cycle of the first reset a unit takes nothing.
        if cycle > 0 && !station.is_asked {
            if let Some(request) = station.host.ask() {
                inputs.serve_req = request;
                station.is_asked = true;
            } else if !weather.stalls(WeatherStream::ServeRequest)
                && let Some(request) = station.requests.receive(cycle, &mut self.random)
            {
                inputs.serve_req = request;
                station.is_asked = true;
                if let Some(asker) = of_rank(&mut self.stations, request.rank) {
                    asker.sent -= 1;
                }
            } else if let Some(request) = station.strangers.ask() {
                inputs.serve_req = request;
                station.is_asked = true;
            }
        }
        inputs.serve_req_valid = self.stations[sm as usize].is_asked;
    }

    /// Takes note of the transfers of `cycle` of unit `sm`.
    pub fn observe(&mut self, cycle: u64, sm: u32, inputs: &Inputs, outputs: &Outputs) {
        let station = &mut self.stations[sm as usize];
        if inputs.serve_req_valid && outputs.serve_req_ready {
            station.is_asked = false;
        }
        if inputs.cluster_rsp_valid && outputs.cluster_rsp_ready {
            station.is_answered = false;
            station.breaker.answer(inputs.cluster_rsp.id);
            // A breach answers what nobody asked.
            self.unanswered = self.unanswered.saturating_sub(1);
        }
        if outputs.serve_rsp_valid
            && inputs.serve_rsp_ready
            && !station.strangers.answer(&outputs.serve_rsp)
            && !station.host.answer(&outputs.serve_rsp)
        {
            self.respond(cycle, &outputs.serve_rsp);
        }
        if outputs.cluster_req_valid && inputs.cluster_req_ready {
            self.request(cycle, sm, &outputs.cluster_req);
        }
    }

    /// A request sets out, or is answered here.
    fn request(&mut self, cycle: u64, sm: u32, request: &ClusterRequest) {
        self.unanswered += 1;
        let due = cycle + self.draw_latency();
        let is_unlucky = self.error_percent != 0 && self.random.chance(self.error_percent);
        let ClusterRequest { id, write, addr, strb, data, rank, .. } = *request;
        // What nobody looks at, is another one: strobes and data of a read, the data of a write's response.
        let (strb, data) = if write { (strb, data) } else { (!strb, data.map(|word| !word)) };
        let station = &mut self.stations[sm as usize];
        station.breaker.ask(id);
        station.writes = station.writes & !(1 << id) | u64::from(write) << id;
        let own = station.rank;
        match of_rank(&mut self.stations, rank).filter(|_| !is_unlucky) {
            Some(other) => {
                other.requests.send(due, ServeRequest { id, rank: own, write, addr, strb, data });
                self.stations[sm as usize].sent += 1;
            }
            None => {
                let due = due + self.draw_latency();
                let response = self.failure(id);
                self.stations[sm as usize].responses.send(due, response);
            }
        }
    }

    /// A response sets out. One to a rank that no unit has, of a unit that is broken, goes nowhere.
    fn respond(&mut self, cycle: u64, response: &ServeResponse) {
        let due = cycle + self.draw_latency();
        let ServeResponse { id, rank, data, error } = *response;
        let response = if error { self.failure(id) } else { ClusterResponse { id, data, error } };
        if let Some(asker) = of_rank(&mut self.stations, rank) {
            let is_write = asker.writes >> id & 1 == 1;
            let data = if is_write { response.data.map(|word| !word) } else { response.data };
            asker.responses.send(due, ClusterResponse { data, ..response });
        }
    }

    /// An error. Its data mean nothing; noise shows where they are used.
    fn failure(&mut self, id: u8) -> ClusterResponse {
        let data = std::array::from_fn(|_| self.random.next_bits() as u32);
        ClusterResponse { id, data, error: true }
    }

    /// Cycles from a transfer to the first one in which what was sent may arrive: at least one.
    fn draw_latency(&mut self) -> u64 {
        match self.latency {
            Latency::Ideal => u64::from(IDEAL_LATENCY / 2),
            Latency::Between { least, most } => {
                let (least, most) = (u64::from(least).div_ceil(2), u64::from(most).div_ceil(2));
                least + self.random.below(most - least + 1)
            }
        }
    }
}

/// The station of the unit whose CTA has this rank.
fn of_rank(stations: &mut [Station], rank: u8) -> Option<&mut Station> {
    stations.iter_mut().find(|station| station.rank == rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Contents, MemoryBlock, MemorySpace, Traffic};
    use lsu_model::preset::FPGA8;

    /// A network, and units of which nothing is there but their ports.
    struct Bench {
        network: Network,
        weather: Weather,
        cycle: u64,
    }

    impl Bench {
        fn new(program: &Program) -> Self {
            Self { network: Network::new(program), weather: Weather::new(&program.traffic, 0), cycle: 1 }
        }

        /// One cycle, in which each unit has these outputs: the inputs of each.
        fn step<const UNITS: usize>(&mut self, outputs: [&Outputs; UNITS]) -> [Inputs; UNITS] {
            let mut inputs = std::array::from_fn(|_| Inputs::default());
            self.weather.begin(self.cycle);
            for (sm, (inputs, outputs)) in inputs.iter_mut().zip(outputs).enumerate() {
                self.network.present(self.cycle, sm as u32, &self.weather, inputs);
                self.network.observe(self.cycle, sm as u32, inputs, outputs);
            }
            self.cycle += 1;
            inputs
        }
    }

    fn units(sms: u32, latency: Latency) -> Program {
        let traffic = Traffic { stall: 0, latency, ..Traffic::default() };
        Program { sms, traffic, ..Program::empty(FPGA8) }
    }

    fn asking(id: u8, rank: u8) -> Outputs {
        let cluster_req = ClusterRequest { id, rank, addr: 0x40, ..ClusterRequest::default() };
        Outputs { cluster_req_valid: true, cluster_req, ..Outputs::default() }
    }

    /// Takes all that comes.
    fn taking() -> Outputs {
        Outputs { cluster_rsp_ready: true, serve_req_ready: true, ..Outputs::default() }
    }

    #[test]
    fn an_ideal_network_takes_ten_cycles_each_way() {
        let mut bench = Bench::new(&units(2, Latency::Ideal));
        let begin = bench.cycle;
        bench.step([&taking(), &asking(5, 0)]);
        let asked = loop {
            let [first, _] = bench.step([&taking(), &taking()]);
            if first.serve_req_valid {
                assert_eq!((first.serve_req.id, first.serve_req.rank, first.serve_req.addr), (5, 1, 0x40));
                break bench.cycle - 1;
            }
        };
        assert_eq!(asked - begin, 10);
        let serve_rsp = ServeResponse { id: 5, rank: 1, data: [7; 8], error: false };
        let replying = Outputs { serve_rsp_valid: true, serve_rsp, ..taking() };
        bench.step([&replying, &taking()]);
        let answered = loop {
            let [_, second] = bench.step([&taking(), &taking()]);
            if second.cluster_rsp_valid {
                assert_eq!((second.cluster_rsp.id, second.cluster_rsp.data), (5, [7; 8]));
                break bench.cycle - 1;
            }
            assert!(!bench.network.is_idle());
        };
        assert_eq!(answered - asked, 11);
        assert!(bench.network.is_idle());
    }

    /// Strobes and data of a read and the data of a write's response are other ones than the units have given.
    #[test]
    fn what_nobody_looks_at_does_not_arrive() {
        for write in [false, true] {
            let mut bench = Bench::new(&units(2, Latency::Ideal));
            let request =
                ClusterRequest { id: 63, write, addr: 0x40, strb: 0xf, data: [5; 8], ..ClusterRequest::default() };
            let asking = Outputs { cluster_req_valid: true, cluster_req: request, ..Outputs::default() };
            bench.step([&taking(), &asking]);
            let arrived = iter::repeat_with(|| bench.step([&taking(), &taking()]))
                .take(99)
                .find(|[first, _]| first.serve_req_valid);
            let [first, _] = arrived.expect("it arrives");
            let serve_rsp = ServeResponse { id: 63, rank: 1, data: [7; 8], error: false };
            bench.step([&Outputs { serve_rsp_valid: true, serve_rsp, ..taking() }, &taking()]);
            let answered = iter::repeat_with(|| bench.step([&taking(), &taking()]))
                .take(99)
                .find(|[_, second]| second.cluster_rsp_valid);
            let [_, second] = answered.expect("it is answered");
            let arrived = (first.serve_req.strb, first.serve_req.data, second.cluster_rsp.data);
            assert_eq!(arrived, if write { (0xf, [5; 8], [!7; 8]) } else { (!0xf, [!5; 8], [7; 8]) });
        }
    }

    #[test]
    fn a_rank_that_is_not_there_is_answered_with_an_error() {
        let mut bench = Bench::new(&units(2, Latency::Ideal));
        bench.step([&asking(9, 2), &taking()]);
        let answers = (2..40).filter_map(|cycle| {
            let [first, _] = bench.step([&taking(), &taking()]);
            first.cluster_rsp_valid.then_some((cycle, first.cluster_rsp.id, first.cluster_rsp.error))
        });
        let answers = answers.collect::<Vec<_>>();
        assert_eq!(answers, [(21, 9, true)]);
    }

    #[test]
    fn requests_that_nobody_takes_hold_up_no_response() {
        let mut bench = Bench::new(&units(2, Latency::Between { least: 2, most: 2 }));
        let deaf = Outputs { serve_req_ready: false, ..taking() };
        let mut taken = 0;
        for id in 0..100 {
            let [_, second] = bench.step([&deaf, &asking(id % 64, 0)]);
            taken += usize::from(second.cluster_req_ready);
        }
        // One is on the pins.
        assert_eq!(taken, bench.network.room + 1);
        // Both have asked for the other, as it were.
        let serve_rsp = ServeResponse { id: 3, rank: 1, ..ServeResponse::default() };
        bench.network.unanswered += 1;
        bench.step([&Outputs { serve_rsp_valid: true, serve_rsp, ..deaf.clone() }, &taking()]);
        let [_, second] = bench.step([&deaf, &taking()]);
        assert!(second.cluster_rsp_valid && second.cluster_rsp.id == 3);
        bench.network.forget();
        assert!(bench.network.is_idle());
        let [first, _] = bench.step([&taking(), &taking()]);
        assert!(!first.serve_req_valid);
    }

    #[test]
    fn every_request_arrives_once_in_another_order() {
        let mut bench = Bench::new(&units(3, Latency::Between { least: 2, most: 90 }));
        bench.network.room = IDS;
        let mut arrived = Vec::new();
        for id in 0..64 + 100 {
            let asking = if id < 64 { asking(id, 2) } else { taking() };
            let [_, _, third] = bench.step([&asking, &taking(), &taking()]);
            arrived.extend(third.serve_req_valid.then_some(third.serve_req.id));
        }
        assert!(!arrived.is_sorted());
        arrived.sort_unstable();
        assert_eq!(arrived, (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn strangers_ask_for_what_is_beyond_shared_memory() {
        let mut program = units(1, Latency::Ideal);
        program.traffic.strangers = 50;
        program.window.rank = 0xa5;
        let size = u64::from(program.windows(0).cluster.size);
        let mut bench = Bench::new(&program);
        let (mut beyond, mut ranks, mut asked) = (0, 0, 0);
        for _ in 0..200 {
            let [unit] = bench.step([&taking()]);
            if unit.serve_req_valid {
                let ServeRequest { rank, addr, .. } = unit.serve_req;
                assert!(addr >= size && addr < 1 << FPGA8.address_bits && rank != 0xa5);
                beyond |= addr;
                ranks |= rank;
                asked += 1;
            }
        }
        let all = FPGA8.address_mask();
        assert_eq!(beyond & !(size - 1), all & !(size - 1));
        assert_eq!(ranks, 0xff);
        bench.network.dismiss_strangers();
        let serve_rsp = ServeResponse { rank: 0xa4, error: true, ..ServeResponse::default() };
        let answering = Outputs { serve_rsp_valid: true, serve_rsp, ..taking() };
        for _ in 0..asked {
            assert!(!bench.network.is_idle());
            let [unit] = bench.step([&answering]);
            assert!(!unit.serve_req_valid && !unit.cluster_rsp_valid);
        }
        assert!(bench.network.is_idle());
    }

    #[test]
    fn the_host_fills_shared_memory_and_reads_it_back() {
        let mut program = units(2, Latency::Ideal);
        let space = MemorySpace::Shared { sm: 1 };
        let contents = Contents::Words(vec![1, 2, 3]);
        program.memory.push(MemoryBlock { space, address: 0x3c, bytes: 12, contents });
        program.dumps.push(crate::program::Dump { space, address: 0x40, bytes: 8 });
        program.window.cluster = crate::program::WindowPlace { base: Some(0xfe0), size: Some(0x1000) };
        let mut bench = Bench::new(&program);
        assert!(!bench.network.is_filled());
        let mut asked = Vec::new();
        let mut outputs = taking();
        while !bench.network.is_filled() {
            let [first, second] = bench.step([&taking(), &outputs]);
            assert!(!first.serve_req_valid);
            outputs = taking();
            if second.serve_req_valid {
                let ServeRequest { id, rank, write, addr, strb, data } = second.serve_req;
                assert!(write && rank == 1);
                asked.push((addr, strb, data));
                outputs.serve_rsp_valid = true;
                outputs.serve_rsp = ServeResponse { id, rank, ..ServeResponse::default() };
            }
        }
        // The window begins 32 bytes before the end of shared memory.
        assert_eq!(asked, [(0x40, 0xf000_0000, [0, 0, 0, 0, 0, 0, 0, 1]), (0x60, 0xff, [2, 3, 0, 0, 0, 0, 0, 0])]);
        assert!(bench.network.is_idle());
        bench.network.read_back();
        assert!(!bench.network.is_idle());
        let [_, second] = bench.step([&taking(), &taking()]);
        assert_eq!((second.serve_req.write, second.serve_req.addr), (false, 0x60));
        let serve_rsp = ServeResponse { rank: 1, data: [8, 9, 0, 0, 0, 0, 0, 0], ..ServeResponse::default() };
        bench.step([&taking(), &Outputs { serve_rsp_valid: true, serve_rsp, ..taking() }]);
        assert!(bench.network.is_idle());
        assert_eq!([bench.network.word(1, 0x40), bench.network.word(1, 0x44), bench.network.word(1, 0x80)], [8, 9, 0]);
    }
}
