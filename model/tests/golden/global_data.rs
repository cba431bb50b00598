//! Registers and bytes of the global path: widths, extension, vectors, sinks, store conflicts, request attributes.

use crate::global_rig::*;
use lsu_model::golden::PlaceVisitor;
use lsu_model::pins::{Request, ServeRequest};
use lsu_model::preset::{ALL, WARP32};

/// A unit whose first two lines hold in each byte its address.
fn bytes_that_count(preset: &lsu_model::preset::Preset) -> Rig {
    let mut rig = Rig::new(preset);
    for address in (0..256).step_by(4) {
        rig.poke(address, u32::from_le_bytes([0, 1, 2, 3].map(|byte| address as u8 + byte)));
    }
    rig
}

#[test]
fn narrow_elements_are_extended() {
    for preset in ALL {
        let mut rig = bytes_that_count(&preset);
        // Size, sign, address, value.
        for (size, sign, address, value) in [
            (0, false, 0x7f, 0x7f),
            (0, true, 0x7f, 0x7f),
            (0, false, 0x80, 0x80),
            (0, true, 0x80, 0xffff_ff80),
            (1, false, 0x7e, 0x7f7e),
            (1, true, 0x7e, 0x7f7e),
            (1, false, 0x82, 0x8382),
            (1, true, 0x82, 0xffff_8382),
            (2, true, 0x84, 0x8786_8584),
        ] {
            let request = Request { size, sign, ..load(|_| address) };
            rig.run([request]);
            assert_eq!(rig.value(0, 4, 1), Some(value), "size {size} sign {sign} at {address:#x}");
            // Into 64 bits: a second register with the sign.
            rig.run([Request { dst_width: 2, ..request }]);
            let upper = if sign && value >> 31 == 1 { u32::MAX } else { 0 };
            assert_eq!((rig.value(0, 4, 1), rig.value(0, 5, 1)), (Some(value), Some(upper)));
            assert_eq!(rig.writebacks().len(), 2);
            // 16-bit destinations take one register.
            rig.run([Request { dst_width: 0, ..request }]);
            assert_eq!((rig.value(0, 4, 1), rig.writebacks().len()), (Some(value), 1));
        }
    }
}

#[test]
fn vector_elements_go_to_consecutive_registers() {
    let mut rig = bytes_that_count(&WARP32);
    // Four signed 16-bit elements into 64-bit registers.
    let request = Request { size: 1, vec: 2, sign: true, dst_width: 2, rd: 8, mask: 2, ..load(|lane| 0x74 + 4 * lane) };
    rig.run([request]);
    let got: Vec<u32> = (8..16).map(|rd| rig.value(0, rd, 1).unwrap_or(7)).collect();
    assert_eq!(got, [0x7978, 0, 0x7b7a, 0, 0x7d7c, 0, 0x7f7e, 0]);
    rig.run([Request { imm: 8, ..request }]);
    let got: Vec<u32> = (8..16).map(|rd| rig.value(0, rd, 1).unwrap_or(7)).collect();
    assert_eq!(got[..4], [0xffff_8180, u32::MAX, 0xffff_8382, u32::MAX]);
    // Eight words into 64-bit registers, 16 of them, in two reads.
    rig.run([Request { size: 2, vec: 3, sign: true, dst_width: 2, rd: 16, mask: 2, ..load(|lane| 0x50 + 16 * lane) }]);
    for element in 0..8_u8 {
        let first = 0x60 + 4 * element;
        let value = u32::from_le_bytes([0, 1, 2, 3].map(|byte| first + byte));
        assert_eq!(rig.value(0, 16 + 2 * element, 1), Some(value));
        assert_eq!(rig.value(0, 17 + 2 * element, 1), Some(0));
    }
    let expected: Vec<u8> = (16..32).collect();
    assert_eq!(rig.writebacks().iter().map(|wb| wb.2).collect::<Vec<_>>(), expected);
    // Eight bytes.
    rig.run([Request { size: 0, vec: 3, rd: 16, mask: 1, ..load(|_| 0xf8) }]);
    let got: Vec<u32> = (16..24).map(|rd| rig.value(0, rd, 0).unwrap_or(7)).collect();
    assert_eq!(got, [0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff]);
    // Two 128-bit elements.
    rig.run([Request { size: 4, vec: 1, rd: 16, mask: 1, ..load(|_| 0x20) }]);
    assert_eq!((rig.value(0, 16, 0), rig.value(0, 23, 0)), (Some(0x2322_2120), Some(0x3f3e_3d3c)));
}

#[test]
fn sunk_elements_are_not_written() {
    let mut rig = Rig::new(&WARP32);
    // Elements 1 and 3 of four 64-bit ones: registers 2, 3 and 6, 7 of the eight.
    rig.run([Request { size: 3, vec: 2, sink: 0b1010, rd: 8, mask: 1, ..load(|_| 0x40) }]);
    let got: Vec<Option<u32>> = (8..16).map(|rd| rig.value(0, rd, 0)).collect();
    assert_eq!(got, [Some(0x40), Some(0x44), None, None, Some(0x50), Some(0x54), None, None]);
    assert_eq!(rig.writebacks().len(), 8);
}

#[test]
fn the_highest_lane_wins_each_byte() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Lanes 0 and 2 write the same two bytes, lane 1 others of the same sector.
        let request = Request { size: 1, mask: 7, ..store(|lane| 0x46 + 8 * (lane & 1)) };
        rig.run([with_data(request, 1, |_, lane| 0xaaaa_1110 + lane)]);
        let write = rig.writes()[0].1;
        assert_eq!((write.addr, write.strb), (0x40, 0b1100_0000_1100_0000));
        assert_eq!(write.data, [0, 0x1112_0000, 0, 0x1111_0000, 0, 0, 0, 0]);
        assert_eq!(rig.writes().len(), 1);
    }
}

#[test]
fn store_elements_come_from_consecutive_registers() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Eight bytes, one in each register.
        let request = Request { size: 0, vec: 3, mask: 3, ..store(|lane| 0x40 + 8 * lane) };
        rig.run([with_data(request, 8, |register, lane| 0x55_5500 + (lane << 4) + register)]);
        let write = rig.writes()[0].1;
        assert_eq!(write.strb, 0xffff);
        assert_eq!(write.data[..4], [0x0302_0100, 0x0706_0504, 0x1312_1110, 0x1716_1514]);
        // Two 128-bit elements fill a sector.
        let request = Request { size: 4, vec: 1, mask: 1, ..store(|_| 0x60) };
        rig.run([with_data(request, 8, |register, _| register)]);
        assert_eq!(rig.writes()[0].1.data, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}

#[test]
fn attributes_travel_with_every_request() {
    let mut rig = Rig::new(&WARP32);
    let with = Request { l2_evict: 2, policy_en: true, policy: 0x1234_5678_9abc_def0, prefetch: 3, ..load(|_| 0) };
    rig.run([Request { sem: RELAXED, scope: GPU, mask: 1, ..with }]);
    let request =
        rig.events.iter().find_map(|(_, event)| if let Event::Read(request) = event { Some(*request) } else { None });
    let request = request.expect("a read");
    assert_eq!((request.l2_evict, request.policy_en, request.policy, request.prefetch), (2, true, with.policy, 3));
    assert_eq!((request.sem, request.scope, request.cop), (RELAXED, GPU, 0));
    assert_eq!((request.strb, request.data, request.write), (u32::MAX, [0; 8], false));
    // cs and lu ask for evict_first.
    rig.run([with_data(Request { cop: CS, l2_evict: 2, mask: 1, ..store(|_| 0) }, 1, |_, _| 0)]);
    assert_eq!((rig.writes()[0].1.l2_evict, rig.writes()[0].1.cop), (1, CS));
}

/// Names and widths of all values, and the values.
#[derive(Default)]
struct Listed {
    place: String,
    occupied: bool,
    fields: Vec<(String, u32)>,
    values: Vec<Option<u64>>,
}

impl PlaceVisitor for Listed {
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool) {
        self.place = format!("{name}{number:?}");
        self.occupied = is_occupied;
        self.fields.push((self.place.clone(), 1));
        self.values.push(is_occupied.then_some(1));
    }

    fn value(&mut self, name: &'static str, bits: u32, value: Option<u64>) {
        self.fields.push((format!("{}.{name}", self.place), bits));
        self.values.push(value.filter(|_| self.occupied));
    }
}

#[test]
fn the_list_of_places_is_always_the_same() {
    for preset in roomy() {
        let mut rig = Rig::new(&preset);
        let mut empty = Listed::default();
        rig.golden.visit_places(&mut empty);
        assert!(empty.values.iter().all(Option::is_none));
        // As wide as the places of the RTL beside them.
        for (ending, wanted) in [(".lanes", preset.lanes as u32), (".line", preset.address_bits - 7)] {
            let of_global = |(name, _): &&(String, u32)| name.starts_with("global") && name.ends_with(ending);
            let widths: Vec<u32> = empty.fields.iter().filter(of_global).map(|(_, bits)| *bits).collect();
            assert!(!widths.is_empty() && widths.iter().all(|bits| *bits == wanted), "{ending}: {widths:?}");
        }
        rig.run([load(|_| 128)]);
        rig.program.extend((0..6).map(|tag| Operation::from(Request { tag, ..load(|lane| 4096 * lane) })));
        rig.program.push_back(with_data(Request { tag: 9, ..store(|lane| 4096 * lane) }, 1, |_, _| 1));
        // These hit what lies in another set; so many that `read` and `landing` fill, too.
        rig.program.extend((10..16).map(|tag| Operation::from(Request { tag, ..load(|_| 128) })));
        // And so many of shared memory that `bank` fills.
        rig.program
            .extend((16..20).map(|tag| Operation::from(Request { tag, ..load_shared(&preset, |lane| 4 * lane) })));
        // And these come back one in eight cycles, where one in 32 leaves.
        let alone = |tag: u8| Request { tag, mask: 1, ..load(move |_| 0x1_0000 + 128 * u64::from(tag)) };
        rig.program.extend((20..30).map(|tag| Operation::from(alone(tag))));
        // A sector of local memory is written back.
        rig.inputs.windows.local.size = 0x100;
        let local = Request { tag: 31, space: 4, ..store(|_| 0) };
        rig.program.push_back(with_data(local, 1, |_, _| 1));
        rig.program.push_back(Request { tag: 32, ..command(WRITE_BACK_LOCAL) }.into());
        // Another CTA is asked, and asks.
        rig.program.push_back(Request { tag: 30, ..load_cluster(&preset, 1, |lane| 4 * lane) }.into());
        rig.asked.extend((0..20).map(|id| (0, ServeRequest { id, write: id % 2 == 1, ..ServeRequest::default() })));
        rig.bad_sectors.insert(4096);
        let mut seen = vec![false; empty.fields.len()];
        while !rig.program.is_empty() || !rig.in_flight.is_empty() {
            // So slow that hits, stores and passes that waited fill their queues.
            rig.inputs.wb_ready = rig.cycle.is_multiple_of(32);
            rig.inputs.mem_req_ready = rig.cycle.is_multiple_of(8);
            rig.step();
            let mut listed = Listed::default();
            rig.golden.visit_places(&mut listed);
            assert_eq!(listed.fields, empty.fields);
            for (number, (value, (name, bits))) in listed.values.iter().zip(&listed.fields).enumerate() {
                seen[number] |= value.is_some();
                assert!(value.is_none_or(|value| *bits == 64 || value >> bits == 0), "{name} {value:?}");
            }
        }
        // All places of the global path but those of the read-only cache and of updates have been in use.
        for ((name, _), seen) in empty.fields.iter().zip(seen) {
            let is_other = !name.starts_with("global") || name.contains("_ro_") || name.contains("update");
            assert!(is_other || seen, "{name}");
        }
    }
}

#[test]
fn activities_name_every_step_of_an_operation() {
    let mut rig = Rig::new(&WARP32);
    let mut texts: Vec<String> = Vec::new();
    rig.program.push_back(load(|lane| 128 * (lane & 1)).into());
    rig.program.push_back(with_data(Request { tag: 1, mask: 1, ..store(|_| 0x1000) }, 1, |_, _| 1));
    rig.begin();
    while rig.cycle == 0 || !rig.in_flight.is_empty() {
        rig.step();
        rig.golden.visit_activities(|tag, activity| {
            let text = format!("{tag} {activity}");
            if !texts.contains(&text) {
                texts.push(text);
            }
        });
    }
    for expected in [
        "0 accepted",
        "0 issue 1/2",
        "0 issue 2/2",
        "0 look-up 1/2",
        "0 look-up 2/2",
        "0 miss 2/2, 2 wait",
        "0 fill",
        "0 collect",
        "0 write-back R4",
        "1 accepted",
        "1 issue",
        "1 store data",
        "1 look-up",
        "1 miss",
        "1 fill",
        "1 done",
    ] {
        assert!(texts.iter().any(|text| text == expected), "{expected} is not in {texts:?}");
    }
}
