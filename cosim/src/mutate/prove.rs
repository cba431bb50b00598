//! Proofs that a mutant changes nothing.
//!
//! yosys turns the unit with all its mutants into "and" gates and registers; memories are cut out: what goes into them must not
//! change, what comes out may be anything. Then, for each mutant, the gates behind it are built anew beside the whole unit in a
//! [`Network`], and what does not come out as the same literal goes to a SAT solver. Proven means: all outputs, all registers'
//! next values and all that goes into memories are the same for all inputs, all answers of memories and all states. What needs
//! to know which states occur, or what the unit's surroundings never ask for, is not proven.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use batsat::{Callbacks, SolverInterface, lbool};
use flussab_aiger::aig::{OrderedAig, SymbolTarget};
use flussab_aiger::binary;
use lsu_hdl::emit::{DEFAULT_PREFIX, EmitError, top_name};
use lsu_hdl::verilog::{self, Breakage, Chosen};
use lsu_model::preset::Preset;

use super::network::{Literal, Network, Node};
use crate::interrupt;
use crate::random::Random;

/// Conflicts after which the solver gives up.
const CONFLICTS: u64 = 2_000;

/// The same for a single gate, which is soon done or not worth it.
const GATE_CONFLICTS: u64 = 200;

/// Gates of a mutant that turn out to be different after which no more are asked about one by one.
const DIFFERENT_GATES: usize = 50;

/// The input with a bit for each mutant.
const SELECTOR: &str = "mutant";

/// No proofs can be had.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// There is no yosys.
    #[error("yosys does not start: {0}")]
    Missing(std::io::Error),
    /// A file of the proof cannot be written or read.
    #[error("a file for yosys: {0}")]
    File(std::io::Error),
    /// The unit cannot be written as Verilog.
    #[error(transparent)]
    Emission(#[from] EmitError),
    /// A thread ended before its time.
    #[error("a worker thread panicked")]
    Panic,
    /// yosys refuses the unit.
    #[error("yosys fails on the unit: {0}")]
    Refused(String),
    /// What yosys wrote cannot be read.
    #[error("yosys's gates cannot be read: {0}")]
    Gates(String),
}

/// The unit as gates: registers are inputs (their value) and outputs (their next value).
#[derive(Debug)]
pub struct Gates {
    aig: OrderedAig<u32>,
    /// The input of each mutant.
    selectors: BTreeMap<u32, usize>,
}

impl Gates {
    /// Asks yosys for those of a preset and of the mutants `ids`.
    ///
    /// # Errors
    /// yosys is missing or refuses the unit.
    pub fn of(preset: &Preset, ids: &BTreeSet<u32>) -> Result<Self, ProofError> {
        let (modules, _) = lsu_hdl::emit::broken(preset.name, DEFAULT_PREFIX, Breakage::Wired(Chosen::Only(ids)))?;
        let folder = tempfile::tempdir().map_err(ProofError::File)?;
        let path = |name: &str| folder.path().join(name);
        let text = verilog::file(&modules.iter().collect::<Vec<_>>());
        std::fs::write(path("unit.v"), text).map_err(ProofError::File)?;
        // A memory's module has one name for each of its sizes, in which its own is.
        let memories: Vec<&str> =
            modules.iter().filter(|module| module.is_memory).map(|module| module.name.as_str()).collect();
        let kept: String =
            memories.iter().map(|name| format!("setattr -mod -set keep_hierarchy 1 *{name}*\n")).collect();
        let cells: String = memories.iter().map(|name| format!(" t:*{name}*")).collect();
        // Registers with many ways to load them come from `proc` as plain ones with multiplexers. Values that the language
        // leaves open are 0 on both sides.
        let script = format!(
            "read_verilog unit.v\nhierarchy -top {}\n{kept}proc\nopt_expr\nopt_merge\nopt_clean\nsimplemap\ntechmap\n\
             opt_clean\nsetundef -zero\naigmap\nopt_clean\nflatten\nexpose -evert{cells}\nwrite_aiger -symbols unit.aig\n",
            top_name(DEFAULT_PREFIX)?
        );
        std::fs::write(path("gates.ys"), script).map_err(ProofError::File)?;
        let mut yosys = Command::new("yosys");
        let output = interrupt::output(yosys.args(["-q", "-s", "gates.ys"]).current_dir(folder.path()))
            .map_err(ProofError::Missing)?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(ProofError::Refused(text.lines().last().unwrap_or_default().to_owned()));
        }
        Self::read(&path("unit.aig"))
    }

    fn read(path: &Path) -> Result<Self, ProofError> {
        let wrong = |error: flussab_aiger::ParseError| ProofError::Gates(error.to_string());
        let file = std::fs::File::open(path).map_err(ProofError::File)?;
        let aig =
            binary::Parser::<u32>::from_read(file, binary::Config::default()).map_err(wrong)?.parse().map_err(wrong)?;
        let selectors = aig.symbols.iter().filter_map(|symbol| match symbol.target {
            SymbolTarget::Input(input) => {
                let number = symbol.name.strip_prefix(SELECTOR)?.strip_prefix('[')?.strip_suffix(']')?;
                Some((number.parse().ok()?, input))
            }
            _ => None,
        });
        let selectors: BTreeMap<u32, usize> = selectors.collect();
        if selectors.is_empty() {
            return Err(ProofError::Gates(format!("there is no input `{SELECTOR}`")));
        }
        Ok(Self { selectors, aig })
    }

    /// The literals of all outputs, then of all next values.
    fn results(&self) -> impl Iterator<Item = u32> + '_ {
        self.aig.outputs.iter().copied().chain(self.aig.latches.iter().map(|latch| latch.next_state))
    }
}

/// Value of a gate's literal, by the literals of its nodes.
fn value(values: &[Literal], literal: u32) -> Literal {
    values[(literal >> 1) as usize].inverted_if(literal & 1 == 1)
}

/// The whole unit, ready to be compared with its mutants.
struct Comparison<'a> {
    gates: &'a Gates,
    network: Network,
    /// The literal of each node of the gates.
    whole: Vec<Literal>,
    /// Nodes of the network that belong to the whole unit.
    length: usize,
    /// What each node of the network is for some random values of its inputs: a difference there needs no solver.
    samples: Vec<Sample>,
    /// Where inputs draw theirs from.
    random: Random,
}

/// The values of a node, a bit each.
type Sample = [u64; 4];

/// Stream number of the random values.
const SAMPLE_STREAM: u64 = 0x7361_6d70_6c65;

impl<'a> Comparison<'a> {
    fn new(gates: &'a Gates) -> Self {
        let mut network = Network::default();
        let selectors: BTreeSet<usize> = gates.selectors.values().copied().collect();
        let mut whole = vec![Literal::FALSE];
        whole.extend((0..gates.aig.input_count).map(|input| match selectors.contains(&input) {
            true => Literal::FALSE,
            false => network.input(),
        }));
        whole.extend(gates.aig.latches.iter().map(|_| network.input()));
        for gate in &gates.aig.and_gates {
            let [a, b] = gate.inputs.map(|input| value(&whole, input));
            whole.push(network.and(a, b));
        }
        let length = network.node_count();
        let random = Random::new(0, SAMPLE_STREAM);
        let mut comparison = Self { gates, network, whole, length, samples: vec![[0; 4]], random };
        comparison.sample();
        comparison
    }

    /// Takes the samples of the nodes that have none yet; inputs draw theirs.
    fn sample(&mut self) {
        for number in self.samples.len()..self.network.node_count() {
            let sample = match self.network.node(number) {
                Node::Free => std::array::from_fn(|_| self.random.next_bits()),
                Node::And(a, b) => {
                    let [a, b] = [a, b].map(|literal| self.sampled(literal));
                    std::array::from_fn(|word| a[word] & b[word])
                }
            };
            self.samples.push(sample);
        }
    }

    fn sampled(&self, literal: Literal) -> Sample {
        self.samples[literal.node()].map(|word| if literal.is_inverted() { !word } else { word })
    }

    /// Whether mutant `id` is proven to change nothing.
    fn is_same(&mut self, id: u32) -> bool {
        let Some(selector) = self.gates.selectors.get(&id) else {
            // Not among those that yosys was asked for: nothing is known of it.
            return false;
        };
        let mut broken = self.whole.clone();
        broken[selector + 1] = Literal::TRUE;
        let first = broken.len() - self.gates.aig.and_gates.len();
        let mut different = 0;
        for (place, gate) in (first..).zip(&self.gates.aig.and_gates) {
            let is_changed = |literal: &u32| {
                let node = (literal >> 1) as usize;
                broken[node] != self.whole[node]
            };
            if gate.inputs.iter().any(is_changed) {
                let [a, b] = gate.inputs.map(|input| value(&broken, input));
                broken[place] = self.network.and(a, b);
                // A gate that is the same after all ends what the mutant changes, often long before all that hangs on it.
                let (old, new) = (self.whole[place], broken[place]);
                self.sample();
                if old != new && different < DIFFERENT_GATES && self.sampled(old) == self.sampled(new) {
                    if never_differ(&self.network, &[(old, new)].into(), GATE_CONFLICTS) {
                        broken[place] = old;
                    } else {
                        different += 1;
                    }
                }
            }
        }
        let pairs: BTreeSet<(Literal, Literal)> = self
            .gates
            .results()
            .map(|literal| (value(&self.whole, literal), value(&broken, literal)))
            .filter(|(old, new)| old != new)
            .collect();
        let is_same = pairs.iter().all(|(old, new)| self.sampled(*old) == self.sampled(*new))
            && (pairs.is_empty() || never_differ(&self.network, &pairs, CONFLICTS));
        self.network.truncate(self.length);
        self.samples.truncate(self.length);
        is_same
    }
}

/// Stops the solver after some conflicts, wherever it runs.
struct Patience {
    left: u64,
}

impl Callbacks for Patience {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: batsat::ClauseKind) {
        self.left = self.left.saturating_sub(u64::from(kind == batsat::ClauseKind::Learnt));
    }

    fn stop(&self) -> bool {
        self.left == 0 || interrupt::is_requested()
    }
}

/// Whether a solver finds within so many `conflicts` that no values of the inputs make the two of any pair differ.
fn never_differ(network: &Network, pairs: &BTreeSet<(Literal, Literal)>, conflicts: u64) -> bool {
    let mut solver = batsat::Solver::new(batsat::SolverOpts::default(), Patience { left: conflicts });
    let mut variables = vec![None; network.node_count()];
    let mut any = vec![];
    for (old, new) in pairs {
        if *old == !*new {
            return false;
        }
        let [a, b] = [old, new].map(|literal| encode(network, &mut solver, &mut variables, *literal));
        let differ = batsat::Lit::new(solver.new_var_default(), true);
        // Only this way: if they differ here, they do.
        solver.add_clause_reuse(&mut vec![!differ, a, b]);
        solver.add_clause_reuse(&mut vec![!differ, !a, !b]);
        any.push(differ);
    }
    solver.add_clause_reuse(&mut any);
    solver.solve_limited(&[]) == lbool::FALSE
}

/// The solver's literal for `root`, whose logic it learns.
fn encode(
    network: &Network,
    solver: &mut batsat::Solver<Patience>,
    variables: &mut [Option<batsat::Var>],
    root: Literal,
) -> batsat::Lit {
    let mut open = vec![root.node()];
    while let Some(number) = open.pop() {
        if variables[number].is_some() {
            continue;
        }
        let variable = match network.node(number) {
            Node::Free => {
                let variable = solver.new_var_default();
                if number == Literal::FALSE.node() {
                    solver.add_clause_reuse(&mut vec![batsat::Lit::new(variable, false)]);
                }
                variable
            }
            Node::And(a, b) => {
                let (Some(left), Some(right)) = (variables[a.node()], variables[b.node()]) else {
                    open.extend([number, a.node(), b.node()]);
                    continue;
                };
                let variable = solver.new_var_default();
                let it = batsat::Lit::new(variable, true);
                let [a, b] = [(left, a), (right, b)].map(|(of, literal)| batsat::Lit::new(of, !literal.is_inverted()));
                solver.add_clause_reuse(&mut vec![!it, a]);
                solver.add_clause_reuse(&mut vec![!it, b]);
                solver.add_clause_reuse(&mut vec![it, !a, !b]);
                variable
            }
        };
        variables[number] = Some(variable);
    }
    let variable = variables[root.node()].unwrap_or_else(|| solver.new_var_default());
    batsat::Lit::new(variable, !root.is_inverted())
}

/// Those of `ids` that are proven to be the unit as it is; `progress` hears how many have been tried.
///
/// # Errors
/// A thread panics.
pub fn prove(
    gates: &Gates,
    ids: &[u32],
    jobs: usize,
    mut progress: impl FnMut(usize),
) -> Result<BTreeSet<u32>, ProofError> {
    let mut proven = BTreeSet::new();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam::channel::unbounded();
    let scope = crossbeam::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move |_| {
                let mut comparison = Comparison::new(gates);
                while !interrupt::is_requested()
                    && let Some(id) = ids.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    if sender.send((*id, comparison.is_same(*id))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (tried, (id, is_same)) in receiver.iter().enumerate() {
            if is_same {
                proven.insert(id);
            }
            progress(tried + 1);
        }
    });
    scope.map_err(|_| ProofError::Panic)?;
    Ok(proven)
}

#[cfg(test)]
mod tests {
    use flussab_aiger::aig::{OrderedAndGate, OrderedLatch};

    use super::*;

    /// Inputs a and b (literals 2, 4), mutants 1 to 3 (6, 8, 10), a register (12); its next value is a & b & register, in which
    /// mutant 1 forgets a, mutant 2 asks for a twice, and mutant 3 forgets that b & !b is 0.
    fn gates() -> Gates {
        let and = |a, b| OrderedAndGate { inputs: [a, b] };
        let aig = OrderedAig {
            max_var_index: 13,
            input_count: 5,
            latches: vec![OrderedLatch { next_state: 26, initialization: None }],
            outputs: vec![24],
            and_gates: vec![
                and(3, 7),   // 14: !a & !m1, so that 15 is a | m1
                and(15, 4),  // 16: (a | m1) & b
                and(3, 8),   // 18: !a & m2, so that 19 is a | !m2
                and(16, 19), // 20: and, under m2, a once more
                and(4, 5),   // 22: b & !b
                and(22, 11), // 24: nothing, whatever m3 is
                and(20, 12), // 26: the next value
            ],
            bad_state_properties: vec![],
            invariant_constraints: vec![],
            justice_properties: vec![],
            fairness_constraints: vec![],
            symbols: vec![],
            comment: None,
        };
        Gates { aig, selectors: [(1, 2), (2, 3), (3, 4)].into() }
    }

    #[test]
    fn only_what_changes_nothing_is_proven() {
        for jobs in [1, 2] {
            let proven = prove(&gates(), &[1, 2, 3], jobs, |_| {}).expect("proven");
            assert_eq!(proven, [2, 3].into());
        }
    }

    /// 40 inputs that must all be 1, of which the mutant forgets the first: no sample is likely to show it.
    #[test]
    fn what_hardly_ever_differs_is_not_the_same() {
        let inputs = 40;
        let selector = inputs + 1;
        let mut and_gates = vec![OrderedAndGate { inputs: [3, 2 * selector + 1] }];
        // Literal 2 n + 1 of a gate n is that it is 0: the first is the first input, or the mutant.
        let mut all = 2 * (selector + 1) + 1;
        for input in 2..=inputs {
            and_gates.push(OrderedAndGate { inputs: [all, 2 * input] });
            all = 2 * (selector + and_gates.len() as u32);
        }
        let aig = OrderedAig {
            max_var_index: all as usize / 2,
            input_count: selector as usize,
            outputs: vec![all],
            and_gates,
            ..OrderedAig::default()
        };
        let gates = Gates { aig, selectors: [(1, inputs as usize)].into() };
        assert!(prove(&gates, &[1], 1, |_| {}).expect("tried").is_empty());
    }

    #[test]
    fn the_solver_tells_what_hashing_does_not() {
        let mut network = Network::default();
        let [a, b] = [network.input(), network.input()];
        let (both, first) = (network.and(a, b), network.and(a, !b));
        // a & b or a & !b is a.
        let either = !network.and(!both, !first);
        assert_ne!(either, a);
        assert!(never_differ(&network, &[(either, a)].into(), CONFLICTS));
        assert!(!never_differ(&network, &[(either, b)].into(), CONFLICTS));
        assert!(!never_differ(&network, &[(either, a), (both, first)].into(), CONFLICTS));
    }
}
