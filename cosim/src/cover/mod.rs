//! What programs have exercised, in named bins that are planned before anything runs: how far that is from everything that can happen,
//! and what is missing.
//!
//! | file | part |
//! |---|---|
//! | `point` | what an operation asks for and how it ends |
//! | `tables` | the cross tables and the numbers of their cells |
//! | `plan` | the bins, their names and families |
//! | `reach` | operations that cannot end so |
//! | `demand` | rules that cannot act together |
//! | `bins` | which bins a run fills |
//! | `steer` | programs aimed at operations that are missing |
//! | `storm` | programs in which rules act that seldom do |
//! | `rounds` | the runs, and what each round is made of |
//! | `rtl` | lines, branches and toggles of the Verilog |
//! | `toggles` | which bits of a wave have risen and fallen |
//! | `untoggled` | which never do, and why |

mod bins;
mod demand;
mod plan;
mod point;
mod reach;
mod rounds;
mod rtl;
mod steer;
mod storm;
mod tables;
mod toggles;
mod untoggled;

pub use bins::{Hits, Keeper};
pub use plan::{Bin, Plan};
pub use point::{Axis, Point};
pub use rounds::{CoverOptions, Coverage, Earlier, Steering, cover};
pub use rtl::{Measure, Rtl, RtlHits, RtlReport};
pub use tables::{Subject, TABLES, Table};
pub use toggles::Points;
pub use untoggled::{Untoggled, UntoggledList};
