//! A queue of two: a place with room for one more, so that whether it is free does not depend on what leaves.

use super::held::Held;

/// Two places in a row; the younger is full only while the elder is.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Queue<T> {
    elder: Held<T>,
    younger: Held<T>,
}

impl<T: Default> Queue<T> {
    pub(super) fn new() -> Self {
        Self { elder: Held::new(), younger: Held::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.elder.is_full()
    }

    /// Rule FREE: whether it holds fewer than two, whatever leaves.
    pub(super) fn is_free(&self) -> bool {
        !self.younger.is_full()
    }

    /// The elder.
    pub(in crate::golden) fn get(&self) -> Option<&T> {
        self.elder.get()
    }

    /// The elder.
    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        self.elder.get_mut()
    }

    /// How many it holds.
    pub(in crate::golden) fn len(&self) -> u32 {
        u32::from(self.elder.is_full()) + u32::from(self.younger.is_full())
    }

    /// Both, the elder first.
    pub(super) fn places(&self) -> [&Held<T>; 2] {
        [&self.elder, &self.younger]
    }

    pub(super) fn clear(&mut self) {
        self.elder.clear();
        self.younger.clear();
    }

    /// Room at the end, where something comes in; the queue is free.
    pub(super) fn end(&mut self) -> &mut Held<T> {
        if self.elder.is_full() { &mut self.younger } else { &mut self.elder }
    }

    /// The elder leaves for `next`, whose own content is done with.
    pub(super) fn hand_to(&mut self, next: &mut Held<T>) {
        self.elder.move_to(next);
        self.pop();
    }

    /// The elder leaves.
    pub(super) fn pop(&mut self) {
        self.younger.move_to(&mut self.elder);
    }
}
