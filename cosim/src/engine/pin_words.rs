//! Pins as the 32-bit words that cross into a simulator, and back.
//!
//! Every pin begins at a word of its own, least significant word first; lane arrays are packed, lane 0 lowest. Which pins
//! there are, how wide, and which field holds them is told by the table in `model/src/pins.rs`.

use lsu_model::pins::{
    BankWrite, Bundle, ClusterRequest, ClusterResponse, Completion, FaultRecord, Filler, Inputs, MemoryRequest,
    MemoryResponse, Outputs, Pin, Request, ServeRequest, ServeResponse, Slot, Status, StoreBeat, Value, Visitor,
    Windows, Writeback,
};
use lsu_model::preset::Preset;

use super::payload::Payload;
use super::ports::{PortSpec, ports};
use crate::verilator::Layout;

/// Where a pin stands in the words.
#[derive(Clone, Copy, Debug)]
struct Place {
    word: usize,
    /// Ones where an element of the pin has bits.
    mask: u64,
    /// Elements: lanes, words of a sector, or 1.
    count: usize,
}

/// The places of a bundle's pins, in its order; `None` if the layout lacks one.
fn places<const N: usize>(pins: &[Pin], preset: &Preset, layout: &Layout) -> Option<[Place; N]> {
    let place = |pin: &Pin| {
        let (bits, count) = pin.width.elements(preset);
        Some(Place { word: layout.port(pin.name)?.word_offset, mask: u64::MAX >> (64 - bits), count })
    };
    pins.iter().map(place).collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// The bits of a pin of `cfg_bank` of which others make a write of the bank beside it, as legal as the one that was meant (LDC-8).
fn write_beside(pin: &str) -> u32 {
    match pin {
        "cfg_bank_index" => 1,
        "cfg_bank_base" => !63,
        "cfg_bank_size" => 0xfff0,
        _ => u32::MAX,
    }
}

/// The places of each bundle.
macro_rules! bundle_places {
    ($name:ident { $($field:ident: $bundle:ty,)+ }) => {
        #[derive(Clone, Debug)]
        struct $name { $($field: [Place; <$bundle>::PINS.len()],)+ }

        impl $name {
            fn new(preset: &Preset, layout: &Layout) -> Option<Self> {
                Some(Self { $($field: places(<$bundle>::PINS, preset, layout)?,)+ })
            }
        }
    };
}

bundle_places!(InputPlaces {
    flags: Inputs,
    req: Request,
    wdata: StoreBeat,
    mem_rsp: MemoryResponse,
    cluster_rsp: ClusterResponse,
    serve_req: ServeRequest,
    bank_write: BankWrite,
    windows: Windows,
});

bundle_places!(OutputPlaces {
    flags: Outputs,
    wb: Writeback,
    fault: FaultRecord,
    done: Completion,
    mem_req: MemoryRequest,
    cluster_req: ClusterRequest,
    serve_rsp: ServeResponse,
    status: Status,
});

/// The input words of each payload.
#[derive(Clone, Debug)]
struct Payloads {
    req: Payload,
    wdata: Payload,
    mem_rsp: Payload,
    cluster_rsp: Payload,
    serve_req: Payload,
    bank_write: Payload,
}

/// Inputs that an output follows in the same cycle, whether or not they are valid.
#[derive(Clone, Copy, Debug)]
struct EarlyPlaces {
    req_op: Place,
    req_space: Place,
    req_cmd: Place,
    mem_rsp_id: Place,
}

/// The words of one unit's pins.
#[derive(Clone, Debug)]
pub struct PinWords {
    input: InputPlaces,
    output: OutputPlaces,
    early: EarlyPlaces,
    payloads: Payloads,
    input_words: Vec<u32>,
    output_words: Vec<u32>,
    /// The request that stands in the words.
    request: Request,
    /// The windows that stand in the words.
    windows: Windows,
}

impl PinWords {
    /// The words of `layout`, which has the ports of `preset`.
    ///
    /// # Errors
    /// [`crate::verilator::Error::PortMismatch`] if it has others.
    pub fn new(preset: &Preset, layout: &Layout) -> Result<Self, crate::verilator::Error> {
        Self::with_more(preset, layout, &[])
    }

    /// The words of `layout`, which has the ports of `preset` and the ports `more`, whose words stay 0 unless
    /// [`PinWords::set_input`] says otherwise.
    ///
    /// # Errors
    /// [`crate::verilator::Error::PortMismatch`] if it has others.
    pub fn with_more(preset: &Preset, layout: &Layout, more: &[PortSpec]) -> Result<Self, crate::verilator::Error> {
        let expected = [&ports(preset), more].concat();
        layout.check_matches(&expected)?;
        // The places are a subset of the ports that have just been checked.
        Self::at(preset, layout)
            .ok_or_else(|| crate::verilator::Error::PortMismatch { differences: "  a port is missing".to_owned() })
    }

    fn at(preset: &Preset, layout: &Layout) -> Option<Self> {
        let input = InputPlaces::new(preset, layout)?;
        let place = |places: &[Place], pins: &[Pin], name| {
            let index = pins.iter().position(|pin| pin.name == name)?;
            Some(places[index])
        };
        let early = EarlyPlaces {
            req_op: place(&input.req, Request::PINS, "req_op")?,
            req_space: place(&input.req, Request::PINS, "req_space")?,
            req_cmd: place(&input.req, Request::PINS, "req_cmd")?,
            mem_rsp_id: place(&input.mem_rsp, MemoryResponse::PINS, "mem_rsp_id")?,
        };
        Some(Self {
            input,
            output: OutputPlaces::new(preset, layout)?,
            early,
            payloads: Payloads {
                req: Payload::new(Request::PINS, layout)?,
                wdata: Payload::new(StoreBeat::PINS, layout)?,
                mem_rsp: Payload::new(MemoryResponse::PINS, layout)?,
                cluster_rsp: Payload::new(ClusterResponse::PINS, layout)?,
                serve_req: Payload::new(ServeRequest::PINS, layout)?,
                bank_write: Payload::plausible(BankWrite::PINS, layout, write_beside)?,
            },
            input_words: vec![0; layout.input_words()],
            output_words: vec![0; layout.output_words()],
            request: Request::default(),
            windows: Windows::default(),
        })
    }

    /// Gives an input of at most 32 bits that the preset does not know its value for every cycle to come.
    pub fn set_input(&mut self, layout: &Layout, port: &str, value: u32) {
        if let Some(port) = layout.port(port) {
            self.input_words[port.word_offset] = value;
        }
    }

    /// The layout of the ports of `preset`, for simulators that have none of their own.
    pub fn standard_layout(preset: &Preset) -> Layout {
        Layout::new(ports(preset))
    }

    /// Both runs of words: what to drive, and where the outputs go.
    pub fn words_mut(&mut self) -> (&[u32], &mut [u32]) {
        (&self.input_words, &mut self.output_words)
    }

    /// The input words as they are.
    pub fn input_words(&self) -> &[u32] {
        &self.input_words
    }

    /// The output words as they are.
    pub fn output_words(&self) -> &[u32] {
        &self.output_words
    }

    /// Puts `inputs` into the input words. A payload is moved only while its `valid` is high; after it every bit of its pins is another
    /// one, so that a unit that looks at it all the same is found out. Bits that a pin does not have are left out.
    pub fn drive(&mut self, inputs: &Inputs) {
        let (place, early) = (&self.input, self.early);
        let words = &mut self.input_words;
        put(inputs, &place.flags, words);
        if inputs.windows != self.windows {
            put(&inputs.windows, &place.windows, words);
            self.windows = inputs.windows;
        }
        let Payloads { req, wdata, mem_rsp, cluster_rsp, serve_req, bank_write } = &mut self.payloads;
        cluster_rsp.carry(inputs.cluster_rsp_valid, words, |words| put(&inputs.cluster_rsp, &place.cluster_rsp, words));
        serve_req.carry(inputs.serve_req_valid, words, |words| put(&inputs.serve_req, &place.serve_req, words));
        mem_rsp.carry(inputs.mem_rsp_valid, words, |words| put(&inputs.mem_rsp, &place.mem_rsp, words));
        bank_write.carry(inputs.bank_write_valid, words, |words| put(&inputs.bank_write, &place.bank_write, words));
        wdata.carry(inputs.wdata_valid, words, |words| put(&inputs.wdata, &place.wdata, words));
        // The longest, which often stands for many cycles.
        let is_meant = req.is_meant();
        req.carry(inputs.req_valid, words, |words| {
            if !is_meant || inputs.req != self.request {
                put(&inputs.req, &place.req, words);
                self.request = inputs.req;
            }
        });
        Value::Word(inputs.mem_rsp.id.into()).put(early.mem_rsp_id, words);
        Value::Word(inputs.req.op.into()).put(early.req_op, words);
        Value::Word(inputs.req.space.into()).put(early.req_space, words);
        Value::Word(inputs.req.cmd.into()).put(early.req_cmd, words);
    }

    /// Puts `outputs` into the output words, payloads whether or not they are valid.
    pub fn show(&mut self, outputs: &Outputs) {
        let place = &self.output;
        let words = &mut self.output_words;
        put(outputs, &place.flags, words);
        put(&outputs.wb, &place.wb, words);
        put(&outputs.fault, &place.fault, words);
        put(&outputs.done, &place.done, words);
        put(&outputs.mem_req, &place.mem_req, words);
        put(&outputs.cluster_req, &place.cluster_req, words);
        put(&outputs.serve_rsp, &place.serve_rsp, words);
        put(&outputs.status, &place.status, words);
    }

    /// Whether output words, `words`, say what `expected` says, payloads compared while their `valid` is high.
    pub fn agrees(&self, expected: &Outputs, words: &[u32]) -> bool {
        let place = &self.output;
        holds(expected, &place.flags, words)
            && holds(&expected.status, &place.status, words)
            && (!expected.wb_valid || holds(&expected.wb, &place.wb, words))
            && (!expected.done_valid || holds(&expected.done, &place.done, words))
            && (!expected.fault_valid || holds(&expected.fault, &place.fault, words))
            && (!expected.mem_req_valid || holds(&expected.mem_req, &place.mem_req, words))
            && (!expected.cluster_req_valid || holds(&expected.cluster_req, &place.cluster_req, words))
            && (!expected.serve_rsp_valid || holds(&expected.serve_rsp, &place.serve_rsp, words))
    }

    /// Takes `outputs` out of output words, `words`. Payloads are moved only while their `valid` is high.
    pub fn read(&self, words: &[u32], outputs: &mut Outputs) {
        let place = &self.output;
        take(outputs, &place.flags, words);
        take(&mut outputs.status, &place.status, words);
        if outputs.wb_valid {
            take(&mut outputs.wb, &place.wb, words);
        }
        if outputs.fault_valid {
            take(&mut outputs.fault, &place.fault, words);
        }
        if outputs.done_valid {
            take(&mut outputs.done, &place.done, words);
        }
        if outputs.mem_req_valid {
            take(&mut outputs.mem_req, &place.mem_req, words);
        }
        if outputs.cluster_req_valid {
            take(&mut outputs.cluster_req, &place.cluster_req, words);
        }
        if outputs.serve_rsp_valid {
            take(&mut outputs.serve_rsp, &place.serve_rsp, words);
        }
    }
}

// With a bundle of a known type and an array of places all of this unrolls to plain moves.

#[inline(always)]
fn put<B: Bundle, const N: usize>(bundle: &B, places: &[Place; N], words: &mut [u32]) {
    bundle.each(Put { places, words, index: 0 });
}

#[inline(always)]
fn holds<B: Bundle, const N: usize>(bundle: &B, places: &[Place; N], words: &[u32]) -> bool {
    let mut is_same = true;
    bundle.each(Compare { places, words, index: 0, is_same: &mut is_same });
    is_same
}

#[inline(always)]
fn take<B: Bundle, const N: usize>(bundle: &mut B, places: &[Place; N], words: &[u32]) {
    bundle.each_mut(Take { places, words, index: 0 });
}

struct Put<'a, const N: usize> {
    places: &'a [Place; N],
    words: &'a mut [u32],
    index: usize,
}

impl<const N: usize> Visitor for Put<'_, N> {
    #[inline(always)]
    fn visit(&mut self, value: Value<'_>) {
        value.put(self.places[self.index], self.words);
        self.index += 1;
    }
}

struct Compare<'a, const N: usize> {
    places: &'a [Place; N],
    words: &'a [u32],
    index: usize,
    is_same: &'a mut bool,
}

impl<const N: usize> Visitor for Compare<'_, N> {
    #[inline(always)]
    fn visit(&mut self, value: Value<'_>) {
        *self.is_same &= value.stands_at(self.places[self.index], self.words);
        self.index += 1;
    }
}

struct Take<'a, const N: usize> {
    places: &'a [Place; N],
    words: &'a [u32],
    index: usize,
}

impl<const N: usize> Filler for Take<'_, N> {
    #[inline(always)]
    fn fill(&mut self, slot: Slot<'_>) {
        slot.take(self.places[self.index], self.words);
        self.index += 1;
    }
}

/// A value in the words.
trait InWords {
    fn put(self, place: Place, words: &mut [u32]);
    fn stands_at(self, place: Place, words: &[u32]) -> bool;
}

impl InWords for Value<'_> {
    #[inline(always)]
    fn put(self, Place { word, mask, count }: Place, words: &mut [u32]) {
        match self {
            Value::Word(value) => words[word] = value & mask as u32,
            Value::Long(value) => {
                words[word] = (value & mask) as u32;
                if mask >> 32 != 0 {
                    words[word + 1] = ((value & mask) >> 32) as u32;
                }
            }
            Value::Words(values) => words[word..word + count].copy_from_slice(&values[..count]),
            Value::Lanes(values) => pack(&values[..count], mask, &mut words[word..]),
        }
    }

    #[inline(always)]
    fn stands_at(self, place: Place, words: &[u32]) -> bool {
        let Place { word, mask, count } = place;
        match self {
            Value::Word(value) => words[word] == value,
            Value::Long(value) => long(mask, &words[word..]) == value,
            Value::Words(values) => words[word..word + count] == values[..count],
            Value::Lanes(values) => (0..count).all(|lane| unpack(lane, mask, &words[word..]) == values[lane]),
        }
    }
}

/// A field that is filled from the words.
trait FromWords {
    fn take(self, place: Place, words: &[u32]);
}

impl FromWords for Slot<'_> {
    #[inline(always)]
    fn take(self, Place { word, mask, count }: Place, words: &[u32]) {
        match self {
            Slot::Flag(flag) => *flag = words[word] != 0,
            Slot::Byte(byte) => *byte = words[word] as u8,
            Slot::Word(value) => *value = words[word],
            Slot::Long(value) => *value = long(mask, &words[word..]),
            Slot::Words(values) => values[..count].copy_from_slice(&words[word..word + count]),
            Slot::Lanes(values) => {
                values[..count]
                    .iter_mut()
                    .enumerate()
                    .for_each(|(lane, value)| *value = unpack(lane, mask, &words[word..]));
            }
        }
    }
}

/// A value of as many bits as `mask` has ones.
#[inline(always)]
fn long(mask: u64, words: &[u32]) -> u64 {
    let high = if mask >> 32 == 0 { 0 } else { u64::from(words[1]) << 32 };
    high | u64::from(words[0])
}

/// Packs `values` of as many bits as `mask` has ones, the first lowest.
fn pack(values: &[u64], mask: u64, words: &mut [u32]) {
    let bits = mask.count_ones();
    let mut pending = 0_u128;
    let mut filled = 0;
    let mut next = 0;
    for value in values {
        pending |= u128::from(value & mask) << filled;
        filled += bits;
        while filled >= 32 {
            words[next] = pending as u32;
            next += 1;
            pending >>= 32;
            filled -= 32;
        }
    }
    if filled > 0 {
        words[next] = pending as u32;
    }
}

/// The value of a lane as [`pack`] has left it.
fn unpack(lane: usize, mask: u64, words: &[u32]) -> u64 {
    let first = lane * mask.count_ones() as usize;
    let around = (first / 32..words.len()).take(3).enumerate();
    let around = around.fold(0, |sum, (index, word)| sum | u128::from(words[word]) << (32 * index));
    (around >> (first % 32)) as u64 & mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilator::Direction;
    use lsu_model::pins::MAX_LANES;
    use lsu_model::preset::{self, WARP32};

    #[test]
    fn packing_keeps_every_bit() {
        let mut words = [0; 49];
        let values: Vec<u64> = (0..32).map(|lane| 0x1_0000_0000_0001 + (lane << 20)).collect();
        let mask = (1 << 49) - 1;
        pack(&values, mask, &mut words);
        for (lane, value) in values.iter().enumerate() {
            assert_eq!(unpack(lane, mask, &words), *value);
            for bit in 0..49 {
                let place = lane * 49 + bit;
                assert_eq!(words[place / 32] >> (place % 32) & 1, (value >> bit) as u32 & 1);
            }
        }
    }

    /// A value for field number `index`, of the bits that the pin has.
    fn fill<B: Bundle>(bundle: &mut B, preset: &Preset, salt: u64) {
        let mut pins = B::PINS.iter();
        let mut index = salt;
        bundle.each_mut(|slot: Slot<'_>| {
            let (bits, count) = pins.next().expect("as many pins as fields").width.elements(preset);
            let mask = u64::MAX >> (64 - bits);
            index += 1;
            let some = |index: u64| index.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) & mask;
            match slot {
                Slot::Flag(flag) => *flag = index % 2 == 1,
                Slot::Byte(byte) => *byte = some(index) as u8,
                Slot::Word(word) => *word = some(index) as u32,
                Slot::Long(long) => *long = some(index),
                Slot::Words(words) => {
                    words[..count].iter_mut().zip(100 * index..).for_each(|(word, index)| *word = some(index) as u32);
                }
                Slot::Lanes(lanes) => {
                    lanes[..count].iter_mut().zip(100 * index..).for_each(|(lane, index)| *lane = some(index));
                }
            }
        });
    }

    /// Every pin has words of its own: what is put there comes back, and every bit of every pin matters to `agrees`.
    #[test]
    fn what_is_shown_is_read_back_and_each_bit_of_it_is_compared() {
        for preset in preset::ALL {
            let layout = PinWords::standard_layout(&preset);
            let mut words = PinWords::new(&preset, &layout).expect("the standard ports");
            let mut outputs = Outputs::default();
            fill(&mut outputs, &preset, 0);
            (outputs.wb_valid, outputs.fault_valid, outputs.done_valid, outputs.mem_req_valid) =
                (true, true, true, true);
            (outputs.cluster_req_valid, outputs.serve_rsp_valid) = (true, true);
            fill(&mut outputs.wb, &preset, 20);
            fill(&mut outputs.fault, &preset, 30);
            fill(&mut outputs.done, &preset, 40);
            fill(&mut outputs.mem_req, &preset, 50);
            fill(&mut outputs.status, &preset, 70);
            fill(&mut outputs.cluster_req, &preset, 100);
            fill(&mut outputs.serve_rsp, &preset, 120);
            words.show(&outputs);
            let mut found = Outputs::default();
            words.read(words.output_words(), &mut found);
            assert_eq!(found, outputs);
            assert!(words.agrees(&outputs, words.output_words()));
            for port in layout.ports().iter().filter(|port| port.direction == Direction::Output) {
                for bit in 0..port.width {
                    let mut changed = words.output_words().to_vec();
                    changed[port.word_offset + bit as usize / 32] ^= 1 << (bit % 32);
                    assert!(!words.agrees(&outputs, &changed), "{} bit {bit}", port.name);
                }
            }
        }
    }

    #[test]
    fn inputs_stand_where_their_pins_are() {
        for preset in preset::ALL {
            let layout = PinWords::standard_layout(&preset);
            let mut words = PinWords::new(&preset, &layout).expect("the standard ports");
            let mut inputs = Inputs { req_valid: true, mem_rsp_valid: true, wb_ready: true, ..Inputs::default() };
            inputs.req.addr[0] = 3;
            inputs.req.addr[1] = 3;
            inputs.mem_rsp.data[7] = 9;
            inputs.windows.param.size = 1 << (preset.address_bits - 1);
            // More bits than the pin has.
            inputs.req.mode = 0xff;
            inputs.req.mask = u32::MAX;
            words.drive(&inputs);
            let word = |port: &str, index: usize| words.input_words[layout.port(port).expect(port).word_offset + index];
            assert_eq!(word("req_valid", 0), 1);
            assert_eq!(word("wb_ready", 0), 1);
            assert_eq!(word("wdata_valid", 0), 0);
            // Lane 1 begins at the address width.
            assert_eq!(word("req_addr", 0), 3);
            assert_eq!(word("req_addr", 1), if preset.address_bits == 32 { 3 } else { 3 << 17 });
            assert_eq!(word("mem_rsp_data", 7), 9);
            let top = preset.address_bits - 1;
            assert_eq!(word("cfg_param_size", top as usize / 32), 1 << (top % 32));
            assert_eq!(word("req_mode", 0), 3);
            assert_eq!(word("req_mask", 0), preset.lane_mask());
        }
    }

    /// After its transfer every bit of a payload is another one, but of the pins that an output follows at any time; until it is meant again.
    #[test]
    fn a_payload_that_is_not_valid_is_not_what_it_was() {
        // Of a bank whose number is even only what leaves the write a legal one.
        for (preset, index) in preset::ALL.into_iter().flat_map(|preset| [(preset, 1), (preset, 2)]) {
            let layout = PinWords::standard_layout(&preset);
            let mut words = PinWords::new(&preset, &layout).expect("the standard ports");
            let mut inputs = Inputs::default();
            fill(&mut inputs.req, &preset, 10);
            fill(&mut inputs.wdata, &preset, 40);
            fill(&mut inputs.mem_rsp, &preset, 60);
            fill(&mut inputs.cluster_rsp, &preset, 80);
            fill(&mut inputs.serve_req, &preset, 100);
            fill(&mut inputs.bank_write, &preset, 120);
            inputs.bank_write.index = index;
            let mut driven = |is_valid: bool| {
                (inputs.req_valid, inputs.wdata_valid, inputs.mem_rsp_valid) = (is_valid, is_valid, is_valid);
                (inputs.cluster_rsp_valid, inputs.serve_req_valid) = (is_valid, is_valid);
                inputs.bank_write_valid = is_valid;
                words.drive(&inputs);
                words.input_words().to_vec()
            };
            let [meant, other, same_other, meant_again] = [true, false, false, true].map(&mut driven);
            assert_eq!(meant, meant_again);
            assert_eq!(other, same_other);
            let payloads = [
                (Windows::PINS, false),
                (Request::PINS, true),
                (StoreBeat::PINS, true),
                (MemoryResponse::PINS, true),
                (ClusterResponse::PINS, true),
                (ServeRequest::PINS, true),
                (BankWrite::PINS, true),
            ];
            let early = ["req_op", "req_space", "req_cmd", "mem_rsp_id"];
            for (pin, is_payload) in payloads.iter().flat_map(|(pins, is)| pins.iter().map(move |pin| (pin, is))) {
                let port = layout.port(pin.name).expect(pin.name);
                let changes = *is_payload && !early.contains(&pin.name);
                for bit in 0..port.width as usize {
                    let (word, place) = (port.word_offset + bit / 32, bit % 32);
                    let is_other = (meant[word] ^ other[word]) >> place & 1 == 1;
                    let stays = index == 2
                        && match pin.name {
                            "cfg_bank_index" => bit > 0,
                            "cfg_bank_base" => bit < 6,
                            "cfg_bank_size" => bit < 4 || bit == 16,
                            _ => false,
                        };
                    assert_eq!(is_other, changes && !stays, "{} bit {bit}", pin.name);
                }
            }
        }
    }

    /// Every bundle of inputs goes onto its pins and onto no others.
    #[test]
    fn every_input_of_a_bundle_is_driven() {
        fn check<B: Bundle + Default + PartialEq + std::fmt::Debug, const N: usize>(places: &[Place; N], words: usize) {
            let mut bundle = B::default();
            fill(&mut bundle, &WARP32, 5);
            let mut driven = vec![0; words];
            put(&bundle, places, &mut driven);
            let mut back = B::default();
            take(&mut back, places, &driven);
            assert_eq!(back, bundle);
            assert!(holds(&bundle, places, &driven));
        }
        let layout = PinWords::standard_layout(&WARP32);
        let input = InputPlaces::new(&WARP32, &layout).expect("the standard ports");
        let words = layout.input_words();
        check::<Request, _>(&input.req, words);
        check::<StoreBeat, _>(&input.wdata, words);
        check::<MemoryResponse, _>(&input.mem_rsp, words);
        check::<ClusterResponse, _>(&input.cluster_rsp, words);
        check::<ServeRequest, _>(&input.serve_req, words);
        check::<BankWrite, _>(&input.bank_write, words);
        check::<Windows, _>(&input.windows, words);
        check::<Inputs, _>(&input.flags, words);
        assert_eq!(MAX_LANES, WARP32.lanes);
    }
}
