//! A built model in this process: the library, and instances that are stepped one clock cycle per call.

use std::error::Error as _;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;

use super::error::Error;
use super::layout::Layout;
use super::{stack, taker};

/// The version of the functions in `wrapper.cpp` that this file calls.
const INTERFACE: u32 = 4;

/// The file in a model's folder that lists the signals of possible combinational loops.
pub(super) const LOOPS: &str = "loops";

/// What Verilator says, in its words for several stages of a cycle, of logic that goes on changing.
const UNSETTLED: &str = "did not converge";

/// What stands in front of the name of every instance: Verilator's word, or the module around the top.
const ROOTS: [&str; 2] = ["TOP", taker::MODULE];

/// Signals that a message names.
const SHOWN_SIGNALS: usize = 8;

/// Nanoseconds of wave time in a clock cycle: cycle n is shown from 10 n to 10 n + 10 ns, and the rising edge that
/// ends it at 10 n + 10. Register outputs change at the beginning of a cycle, and so do the inputs.
pub const WAVE_TIME_PER_CYCLE: u64 = 10;

/// The C side of a [`Reader`].
type TakeBytes = unsafe extern "C" fn(*mut c_void, *const c_char, usize);

/// What receives the bytes of a wave. Boxed twice, so that C can hold it in one pointer.
type Reader = Box<Box<dyn FnMut(&[u8])>>;

/// Hands bytes from C to the reader.
unsafe extern "C" fn take_bytes(reader: *mut c_void, bytes: *const c_char, count: usize) {
    // SAFETY: the pointer is the one that `pipe_vcd` gave, to a reader that lives as long as the wave; only the library
    // calls, and only while no other reference to it is in use.
    let reader = unsafe { &mut *reader.cast::<Box<dyn FnMut(&[u8])>>() };
    // SAFETY: the library gives the beginning and the length of its buffer.
    reader(unsafe { std::slice::from_raw_parts(bytes.cast(), count) });
}

/// The functions of a library, as `wrapper.cpp` defines them.
#[derive(Clone, Copy)]
struct Functions {
    create: unsafe extern "C" fn() -> *mut c_void,
    destroy: unsafe extern "C" fn(*mut c_void),
    run: unsafe extern "C" fn(*mut c_void, *const u32, *mut u32, u64) -> u64,
    evaluate: unsafe extern "C" fn(*mut c_void, *const u32, *mut u32) -> c_int,
    bare: unsafe extern "C" fn(*mut c_void, *const u32, u64) -> u64,
    cycle: unsafe extern "C" fn(*mut c_void) -> u64,
    is_asserted: unsafe extern "C" fn(*mut c_void) -> c_int,
    message: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    wave_open: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
    wave_pipe: unsafe extern "C" fn(*mut c_void, TakeBytes, *mut c_void) -> c_int,
    wave_dump: unsafe extern "C" fn(*mut c_void, c_int),
    wave_close: unsafe extern "C" fn(*mut c_void) -> c_int,
    coverage_write: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
}

/// The first of a list of signals, one a line.
pub(super) fn first_signals(list: &str) -> String {
    let mut shown: Vec<&str> = list.lines().take(SHOWN_SIGNALS).collect();
    if list.lines().count() > SHOWN_SIGNALS {
        shown.push("and others");
    }
    shown.join(", ")
}

/// What failed, and what the system says of it.
fn reason(error: &libloading::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// A loaded library.
struct Loaded {
    functions: Functions,
    layout: Layout,
    features: u32,
    path: PathBuf,
    /// Last, so that it is unloaded last; every instance holds on to it.
    _library: libloading::Library,
}

/// A built model, from which any number of instances can be made, in any threads. A copy is cheap and shares the
/// library, which is unloaded with the last copy and the last instance.
#[derive(Clone)]
pub struct Library {
    loaded: Arc<Loaded>,
}

impl Library {
    /// Loads a library that [`Build::build`](super::Build::build) has made.
    ///
    /// # Errors
    /// [`Error::Library`] when it does not load or is not one of ours.
    pub fn load(path: impl Into<PathBuf>) -> Result<Library, Error> {
        let path = path.into();
        let unusable = |reason: String| Error::Library { path: path.clone(), reason };
        // SAFETY: loading runs the library's constructors. It is one that this tool built from generated C++, and the
        // cache has compared its checksum.
        let library = unsafe { libloading::Library::new(&path) }.map_err(|cause| unusable(reason(&cause)))?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the type is that of the definition in `wrapper.cpp` of the same INTERFACE version, which
                // is checked below before any other function is called.
                *unsafe { library.get(concat!("lsu_dut_", $name).as_bytes()) }
                    .map_err(|cause| unusable(reason(&cause)))?
            };
        }
        let interface: unsafe extern "C" fn() -> u32 = function!("interface");
        // SAFETY: the function only returns a constant.
        let found = unsafe { interface() };
        if found != INTERFACE {
            return Err(unusable(format!("its interface has version {found}, not {INTERFACE}")));
        }
        let ports: unsafe extern "C" fn() -> *const c_char = function!("ports");
        let features: unsafe extern "C" fn() -> u32 = function!("features");
        let functions = Functions {
            create: function!("create"),
            destroy: function!("destroy"),
            run: function!("run"),
            evaluate: function!("evaluate"),
            bare: function!("bare"),
            cycle: function!("cycle"),
            is_asserted: function!("is_asserted"),
            message: function!("message"),
            wave_open: function!("wave_open"),
            wave_pipe: function!("wave_pipe"),
            wave_dump: function!("wave_dump"),
            wave_close: function!("wave_close"),
            coverage_write: function!("coverage_write"),
        };
        // SAFETY: it returns a pointer to a constant, zero-terminated text of the library, which is still loaded.
        let text = unsafe { CStr::from_ptr(ports()) }.to_string_lossy().into_owned();
        let layout = Layout::from_text(&text).ok_or_else(|| unusable("its list of ports is unreadable".to_owned()))?;
        // SAFETY: the function only returns a constant.
        let features = unsafe { features() };
        Ok(Library { loaded: Arc::new(Loaded { functions, layout, features, path, _library: library }) })
    }

    /// The ports and where they stand in the words of [`Dut::step`].
    pub fn layout(&self) -> &Layout {
        &self.loaded.layout
    }

    /// True when instances can write waves.
    pub fn can_trace(&self) -> bool {
        self.loaded.features & 1 != 0
    }

    /// True when instances collect coverage.
    pub fn has_coverage(&self) -> bool {
        self.loaded.features & 2 != 0
    }

    /// The library's file.
    pub fn path(&self) -> &Path {
        &self.loaded.path
    }

    /// A new instance in its own Verilator context, with every register zero or at its initial value. It stays in the
    /// thread that makes it.
    ///
    /// # Errors
    /// [`Error::Library`] when memory is short.
    pub fn instantiate(&self) -> Result<Dut, Error> {
        // SAFETY: the library is loaded, and the instance made here holds on to it.
        let handle = NonNull::new(unsafe { (self.loaded.functions.create)() }).ok_or_else(|| Error::Library {
            path: self.loaded.path.clone(),
            reason: "it cannot make an instance".to_owned(),
        })?;
        Ok(Dut { handle, functions: self.loaded.functions, loaded: Arc::clone(&self.loaded), wave: None, reader: None })
    }
}

/// One instance of a model. It is bound to its thread (it is not `Send`), because Verilator keeps state per thread.
pub struct Dut {
    handle: NonNull<c_void>,
    functions: Functions,
    loaded: Arc<Loaded>,
    /// The VCD file that is open.
    wave: Option<PathBuf>,
    /// Who gets the bytes of a wave without a file.
    reader: Option<Reader>,
}

impl Dut {
    /// The ports and where they stand in the words.
    pub fn layout(&self) -> &Layout {
        &self.loaded.layout
    }

    /// One clock cycle: applies `inputs`, lets the logic settle with the clock low, samples every output into
    /// `outputs` as it is in this cycle, then gives the rising edge. Without a clock only the cycle count advances.
    /// Bits above a port's width are ignored in `inputs` and zero in `outputs`. Allocates nothing.
    ///
    /// The clock falls when the next cycle's inputs are applied; logic on the falling edge sees those.
    ///
    /// # Errors
    /// [`Error::Assertion`] when an assertion of the Verilog fails, at the edge at the latest: the outputs are those of the
    /// cycle; [`Error::Stopped`] when it ends itself, [`Error::Loop`] when it does not settle. The instance is of no use from
    /// then on.
    ///
    /// # Panics
    /// When a slice has not exactly the length that the layout states.
    #[inline]
    pub fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), Error> {
        self.run(inputs, outputs, 1)
    }

    /// As [`Dut::step`], so many times: the words of each cycle stand behind those of the one before, and the cycles before the
    /// one that fails are complete. What fails between two edges, because of inputs, is told of the cycle before theirs: who has to
    /// know it exactly runs the cycles one by one.
    ///
    /// # Errors
    /// As [`Dut::step`].
    ///
    /// # Panics
    /// When a slice has not exactly as many times the length that the layout states.
    #[inline]
    pub fn run(&mut self, inputs: &[u32], outputs: &mut [u32], cycles: u64) -> Result<(), Error> {
        self.check_lengths(inputs, outputs, cycles);
        // SAFETY: the handle is a live instance, and the lengths are those that the library reads and writes.
        let run =
            || unsafe { (self.functions.run)(self.handle.as_ptr(), inputs.as_ptr(), outputs.as_mut_ptr(), cycles) };
        let done = stack::long(run);
        if done == cycles { Ok(()) } else { Err(self.stopped()) }
    }

    /// As [`Dut::step`] without the rising edge: the outputs for `inputs` in the present state. Nothing is dumped and
    /// the cycle does not advance.
    ///
    /// # Errors
    /// As [`Dut::step`].
    ///
    /// # Panics
    /// As [`Dut::step`].
    #[inline]
    pub fn evaluate(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), Error> {
        self.check_lengths(inputs, outputs, 1);
        // SAFETY: as in `run`.
        let run = || unsafe { (self.functions.evaluate)(self.handle.as_ptr(), inputs.as_ptr(), outputs.as_mut_ptr()) };
        match stack::long(run) {
            0 => Ok(()),
            _ => Err(self.stopped()),
        }
    }

    /// Replays a recorded stimulus, the input words of `cycles` cycles one after the other, in a plain C++ loop that
    /// neither reads outputs nor dumps waves: the yardstick for everything that is done around [`Dut::step`].
    ///
    /// # Errors
    /// As [`Dut::step`].
    ///
    /// # Panics
    /// When `stimulus` is not exactly `cycles` times as long as the layout's input words.
    pub fn bare(&mut self, stimulus: &[u32], cycles: u64) -> Result<(), Error> {
        check_length(stimulus, self.layout().input_words(), cycles, "input");
        // SAFETY: the handle is a live instance, and the length is what the library reads.
        let run = || unsafe { (self.functions.bare)(self.handle.as_ptr(), stimulus.as_ptr(), cycles) };
        let done = stack::long(run);
        if done == cycles { Ok(()) } else { Err(self.stopped()) }
    }

    /// Completed cycles.
    pub fn cycle(&self) -> u64 {
        // SAFETY: the handle is a live instance.
        unsafe { (self.functions.cycle)(self.handle.as_ptr()) }
    }

    /// Begins the VCD file `path` and dumps every cycle from the next one on, in the time of
    /// [`WAVE_TIME_PER_CYCLE`]. A file begun before is ended.
    ///
    /// # Errors
    /// [`Error::Output`] when the file cannot be created, or when the model was built without waves.
    pub fn open_vcd(&mut self, path: &Path) -> Result<(), Error> {
        self.close_vcd()?;
        let name = c_path(path)?;
        // SAFETY: the handle is a live instance, and the name is zero-terminated.
        let status = unsafe { (self.functions.wave_open)(self.handle.as_ptr(), name.as_ptr()) };
        self.output(status, path)?;
        self.wave = Some(path.to_owned());
        Ok(())
    }

    /// As [`Dut::open_vcd`] without a file: `reader` gets the VCD piece by piece, its whole header before this returns
    /// and its end from [`Dut::close_vcd`] or when the instance is dropped.
    ///
    /// # Errors
    /// [`Error::Output`] when the model was built without waves.
    pub fn pipe_vcd(&mut self, reader: impl FnMut(&[u8]) + 'static) -> Result<(), Error> {
        self.close_vcd()?;
        let reader = self.reader.insert(Box::new(Box::new(reader)));
        let pointer = std::ptr::from_mut::<Box<dyn FnMut(&[u8])>>(reader).cast();
        // SAFETY: the handle is a live instance, and the reader stays where it is until the wave is closed.
        let status = unsafe { (self.functions.wave_pipe)(self.handle.as_ptr(), take_bytes, pointer) };
        let name = PathBuf::from("(in memory)");
        self.output(status, &name)?;
        self.wave = Some(name);
        Ok(())
    }

    /// Pauses dumping or goes on: a window of cycles in one file. Without an open file nothing happens.
    pub fn dump(&mut self, on: bool) {
        // SAFETY: the handle is a live instance.
        unsafe { (self.functions.wave_dump)(self.handle.as_ptr(), c_int::from(on)) }
    }

    /// Ends the VCD, if one is open. Dropping the instance ends it as well, but cannot say that it failed.
    ///
    /// # Errors
    /// [`Error::Output`] when not all of it could be written.
    pub fn close_vcd(&mut self) -> Result<(), Error> {
        let Some(path) = self.wave.take() else {
            return Ok(());
        };
        // SAFETY: the handle is a live instance.
        let status = unsafe { (self.functions.wave_close)(self.handle.as_ptr()) };
        self.reader = None;
        self.output(status, &path)
    }

    /// Writes the coverage counted so far, in Verilator's text format.
    ///
    /// # Errors
    /// [`Error::Output`] when the file cannot be written, or when the model was built without coverage.
    pub fn write_coverage(&mut self, path: &Path) -> Result<(), Error> {
        let name = c_path(path)?;
        // SAFETY: the handle is a live instance, and the name is zero-terminated.
        let status = unsafe { (self.functions.coverage_write)(self.handle.as_ptr(), name.as_ptr()) };
        self.output(status, path)
    }

    #[inline]
    fn check_lengths(&self, inputs: &[u32], outputs: &[u32], cycles: u64) {
        check_length(inputs, self.layout().input_words(), cycles, "input");
        check_length(outputs, self.layout().output_words(), cycles, "output");
    }

    #[cold]
    fn stopped(&self) -> Error {
        let (cycle, message) = (self.cycle(), self.message());
        // SAFETY: the handle is a live instance.
        if unsafe { (self.functions.is_asserted)(self.handle.as_ptr()) } != 0 {
            let from_top = |line: &str| {
                ROOTS.iter().fold(line.trim().to_owned(), |line, root| line.replace(&format!("{root}."), ""))
            };
            let mut messages: Vec<String> = message.lines().map(from_top).collect();
            messages.sort();
            messages.dedup();
            return Error::Assertion { cycle, messages };
        }
        if message.contains(UNSETTLED) {
            Error::Loop { cycle, signals: self.looping_signals() }
        } else {
            Error::Stopped { cycle, message }
        }
    }

    /// The signals that Verilator suspected of a combinational loop when it read the Verilog.
    fn looping_signals(&self) -> String {
        let list = self.loaded.path.with_file_name(LOOPS);
        let text = std::fs::read_to_string(list).unwrap_or_default();
        if text.is_empty() { "signals that Verilator does not name".to_owned() } else { first_signals(&text) }
    }

    fn output(&self, status: c_int, path: &Path) -> Result<(), Error> {
        match status {
            0 => Ok(()),
            _ => Err(Error::Output { path: path.to_owned(), reason: self.message() }),
        }
    }

    fn message(&self) -> String {
        // SAFETY: the handle is a live instance, and the text lives until the next call on it.
        unsafe { CStr::from_ptr((self.functions.message)(self.handle.as_ptr())) }.to_string_lossy().into_owned()
    }
}

impl Drop for Dut {
    fn drop(&mut self) {
        // SAFETY: the handle is a live instance, it is not used again, and the library is still loaded.
        unsafe { (self.functions.destroy)(self.handle.as_ptr()) }
    }
}

/// Panics if `words` are not those of so many cycles, each of which has `each`.
#[inline]
fn check_length(words: &[u32], each: usize, cycles: u64, what: &str) {
    let expected = usize::try_from(cycles).ok().and_then(|cycles| cycles.checked_mul(each));
    assert_eq!(Some(words.len()), expected, "{what} words of another length than the layout's");
}

/// A path for C. Only one with a zero byte, which no system allows, cannot be passed.
fn c_path(path: &Path) -> Result<CString, Error> {
    CString::new(path.as_os_str().as_encoded_bytes())
        .map_err(|cause| Error::Output { path: path.to_owned(), reason: cause.to_string() })
}
