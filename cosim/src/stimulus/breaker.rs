//! What one port's other end does that the port's protocol forbids ([`Breach`]): decided response by response.

use std::ops::Range;

use crate::program::{Breach, BreachKind, BreachPort, Program};

/// Ids that a port can carry.
const IDS: usize = 256;

/// Knows what was asked at one port of one unit and not answered.
#[derive(Debug)]
pub(super) struct Breaker {
    breach: Option<Breach>,
    /// Responses that were ready to come.
    responses: u32,
    /// Ids that the unit asks with, of each of its paths.
    paths: Vec<Range<u8>>,
    /// Ids that the port has.
    ids: usize,
    asked: [bool; IDS],
}

/// What comes of a response that is ready to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    /// The id with which it comes, if it does.
    pub id: Option<u8>,
    /// The id of another one that follows it.
    pub another: Option<u8>,
}

impl Breaker {
    /// That of `port`, which has `ids` ids, for a unit of `program` whose paths ask with those of `paths`.
    pub(super) fn new(
        program: &Program,
        port: BreachPort,
        ids: usize,
        paths: impl IntoIterator<Item = Range<u8>>,
    ) -> Self {
        let breach = program.breach.filter(|breach| breach.port == port);
        Self { breach, responses: 0, paths: paths.into_iter().collect(), ids, asked: [false; IDS] }
    }

    /// The unit has asked with `id`.
    pub(super) fn ask(&mut self, id: u8) {
        self.asked[usize::from(id)] = true;
    }

    /// A response with `id` has been taken.
    pub(super) fn answer(&mut self, id: u8) {
        self.asked[usize::from(id)] = false;
    }

    /// Nothing is asked any more.
    pub(super) fn forget(&mut self) {
        self.asked = [false; IDS];
    }

    /// What comes of the response to `id`, which is ready to come.
    pub(super) fn arrive(&mut self, id: u8) -> Arrival {
        self.responses = self.responses.saturating_add(1);
        let kind = self.breach.filter(|breach| breach.response == self.responses).map(|breach| breach.kind);
        let path = self.paths.iter().find(|path| path.contains(&id)).cloned().unwrap_or(id..id);
        let is_asked = |other: u8| self.asked[usize::from(other)];
        let other = path.clone().find(|other| *other != id && is_asked(*other));
        let (id, another) = match kind {
            None => (Some(id), None),
            Some(BreachKind::Withheld) => (None, None),
            Some(BreachKind::Repeated) => (Some(id), Some(id)),
            Some(BreachKind::Unasked) => (Some(id), path.rev().find(|other| *other != id && !is_asked(*other))),
            Some(BreachKind::Unknown) => {
                // In the bits that the unit looks at, it is the id of another request, where there is one.
                let like = usize::from(other.unwrap_or(id));
                let last = self.paths.last().map_or(0, |path| path.len());
                (Some(id), u8::try_from(like + last).ok().filter(|other| self.is_unknown(*other)))
            }
            Some(BreachKind::Misdirected) => (Some(other.unwrap_or(id)), None),
        };
        Arrival { id, another }
    }

    /// Whether the port has `id`, and the unit never asks with it.
    fn is_unknown(&self, id: u8) -> bool {
        usize::from(id) < self.ids && !self.paths.iter().any(|path| path.contains(&id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsu_model::preset::FPGA8;

    /// What comes of the second response of two, to ids 65 and 66 of 64 to 79, while 70 is asked as well.
    fn second(kind: BreachKind) -> Arrival {
        let breach = Some(Breach { port: BreachPort::Memory, response: 2, kind });
        let program = Program { breach, ..Program::empty(FPGA8) };
        let elsewhere = Breaker::new(&program, BreachPort::Cluster, 64, std::iter::once(0..16)).arrive(3);
        assert_eq!(elsewhere, Arrival { id: Some(3), another: None });
        let mut breaker = Breaker::new(&program, BreachPort::Memory, IDS, [0..8, 64..80]);
        [65, 66, 70, 79].into_iter().for_each(|id| breaker.ask(id));
        assert_eq!(breaker.arrive(65), Arrival { id: Some(65), another: None });
        breaker.answer(65);
        breaker.arrive(66)
    }

    #[test]
    fn each_kind_does_what_it_says() {
        let of = |id, another| Arrival { id, another };
        assert_eq!(second(BreachKind::Withheld), of(None, None));
        assert_eq!(second(BreachKind::Repeated), of(Some(66), Some(66)));
        assert_eq!(second(BreachKind::Unasked), of(Some(66), Some(78)));
        assert_eq!(second(BreachKind::Unknown), of(Some(66), Some(86)));
        assert_eq!(second(BreachKind::Misdirected), of(Some(70), None));
    }
}
