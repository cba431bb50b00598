//! A place: room for one thing, which moves on by exchanging boxes instead of copying.

/// One place.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Held<T> {
    full: bool,
    content: Box<T>,
}

impl<T: Default> Held<T> {
    pub(super) fn new() -> Self {
        Self { full: false, content: Box::default() }
    }

    pub(in crate::golden) fn is_full(&self) -> bool {
        self.full
    }

    pub(in crate::golden) fn get(&self) -> Option<&T> {
        self.full.then_some(&*self.content)
    }

    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        self.full.then_some(&mut *self.content)
    }

    pub(super) fn clear(&mut self) {
        self.full = false;
    }

    /// The place becomes full; what lies there is what was left behind, and the caller replaces all of it.
    pub(super) fn fill(&mut self) -> &mut T {
        self.full = true;
        &mut self.content
    }

    /// Hands everything, if there is anything, to the next place, whose own content is done with.
    pub(super) fn move_to(&mut self, next: &mut Self) {
        std::mem::swap(&mut self.content, &mut next.content);
        next.full = self.full;
        self.full = false;
    }
}
