//! Memories are arrays.

use lsu_hdl::Memory;
use lsu_hdl::strobe_memory::StrobeMemory;
use proptest::prelude::*;
use rust_hdl::prelude::{Bits, Block};

use crate::{Draw, config, cycles, edge, settled};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn memory(cycles in cycles(200)) {
        let mut block = Box::<Memory<3, Bits<9>>>::default();
        block.connect_all();
        let mut words = [0; 8];
        for draw in cycles {
            let mut draw = Draw(draw);
            let (reads, writes, address, data) = (draw.number(3), draw.bit(), draw.number(3), draw.number(9));
            block.read_address.next = reads.into();
            block.write_enable.next = writes;
            block.write_address.next = address.into();
            block.write_data.next = data.into();
            settled!(block);
            prop_assert_eq!(u64::from(block.read_data.val()), words[reads as usize]);
            if writes {
                words[address as usize] = data;
            }
            edge!(block);
        }
    }

    /// Every port reads what it is asked for.
    #[test]
    fn strobe_memory(cycles in cycles(200)) {
        let mut block = Box::<StrobeMemory<2, 3>>::default();
        block.connect_all();
        let mut words = [[0_u8; 4]; 4];
        let mut read = [[0; 4]; 3];
        for draw in cycles {
            let mut draw = Draw(draw);
            let (reads, from): (_, [u64; 3]) = (draw.bit(), std::array::from_fn(|_| draw.number(2)));
            let (strobe, to, data) = (draw.number(4), draw.number(2), draw.number(32));
            block.read_enable.next = reads;
            block.read_address.iter_mut().zip(from).for_each(|(signal, from)| signal.next = from.into());
            block.write_strobe.next = strobe.into();
            block.write_address.next = to.into();
            block.write_data.next = data.into();
            settled!(block);
            for (port, word) in read.into_iter().enumerate() {
                prop_assert_eq!(u64::from(block.read_data[port].val()), u64::from(u32::from_le_bytes(word)));
            }
            if reads {
                read = from.map(|from| words[from as usize]);
            }
            for byte in (0..4).filter(|byte| strobe >> byte & 1 == 1) {
                words[to as usize][byte] = (data as u32).to_le_bytes()[byte];
            }
            edge!(block);
        }
    }
}
