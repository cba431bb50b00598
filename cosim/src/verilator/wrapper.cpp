// The border between a Verilated model and Rust: one call per clock cycle.
//
// Text generated for each top stands before this file: `#include "Vtop.h"`, DUT_CLOCK (the clock's member, defined only
// where there is a clock), DUT_TAKE (the member at whose edge the inputs are taken, defined only where they are), DUT_NAME
// (what Verilator calls the instance), dut_ports (the layout as text), dut_input_words and dut_output_words (how many a cycle has),
// dut_apply (input words to ports) and dut_sample (ports to output words).

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#define DUT_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// Version of the functions below; the Rust side refuses another.
constexpr uint32_t INTERFACE = 4;

// Ticks of the wave file's 1 ns in a clock cycle: cycle n begins, with the rising edge before it, at 10 n ns.
constexpr uint64_t TICKS_PER_CYCLE = 10;

// Thrown by the Verilog's $finish and by Verilator's own run-time errors, which would otherwise end the process.
struct Stopped {
    std::string message;
};

// The text that the Verilog has printed last, as long as it may be that of a failed assertion; any other goes to stderr,
// because stdout may carry JSON.
thread_local std::string printed;

// The failed assertions of this step, each with a line end behind it.
thread_local std::string failed;

void show_printed() {
    if (printed.empty()) return;
    std::fputs(printed.c_str(), stderr);
    printed.clear();
}

#if VM_TRACE
// Takes the bytes of a wave in place of a file.
using TakeBytes = void (*)(void* reader, const char* bytes, size_t count);

class WavePipe final : public VerilatedVcdFile {
    const TakeBytes take;
    void* const reader;

public:
    WavePipe(TakeBytes take, void* reader) : take{take}, reader{reader} {}
    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* bytes, ssize_t count) override {
        take(reader, bytes, static_cast<size_t>(count));
        return count;
    }
};
#endif

struct Dut {
    VerilatedContext context;
    std::unique_ptr<Vtop> model;
    std::string message;  // why the model stopped, or why a file cannot be written
    uint64_t cycle = 0;   // completed cycles
    bool begun = false;   // it has been evaluated
    bool stopped = false;
    bool asserted = false;  // an assertion has stopped it
#if VM_TRACE
    std::unique_ptr<WavePipe> pipe;  // before the wave, which writes into it to its very end
    std::unique_ptr<VerilatedVcdC> wave;
    bool dumping = false;
    std::string wave_error;  // why the wave ended early
#endif

    // Runs `body`; true when it was not stopped.
    template <typename Body>
    inline bool guarded(const Body& body) {
        if (stopped) return false;
        try {
            body();
            show_printed();
            if (VL_LIKELY(failed.empty())) return true;
            asserted = true;
            message = failed;
            failed.clear();
        } catch (const Stopped& cause) {
            message = cause.message;
        } catch (const std::exception& cause) {
            message = cause.what();
        }
        show_printed();
        stopped = true;
        return false;
    }

    // Sets $time, which is that of the wave.
    inline void tell_time() { context.time(cycle * TICKS_PER_CYCLE); }

    // The inputs of the first cycle of a run. The first of all are taken without an edge: one is seen only after a level.
    inline void begin(const uint32_t* in) {
        dut_apply(*model, in);
#ifdef DUT_TAKE
        model->DUT_TAKE = begun;
        begun = true;
        model->eval();
#endif
    }

    // Clock low with the inputs in place: every output has the value that it has in this cycle.
    inline void settle() {
#ifdef DUT_TAKE
        model->DUT_TAKE = 0;
#endif
#ifdef DUT_CLOCK
        model->DUT_CLOCK = 0;
#endif
        model->eval();
    }

    // The rising edge, and the inputs of the next cycle, if the run has one: they are taken at that edge where they are taken.
    inline void rise(const uint32_t* next) {
#ifdef DUT_TAKE
        if (next) dut_apply(*model, next);
        model->DUT_TAKE = next != nullptr;
#endif
#ifdef DUT_CLOCK
        model->DUT_CLOCK = 1;
        model->eval();
#endif
        // The cycle that an assertion ends is not complete.
        if (VL_LIKELY(failed.empty())) ++cycle;
#ifndef DUT_TAKE
        if (next) dut_apply(*model, next);
#endif
    }

#if VM_TRACE
    // Runs `body` on the wave. A file that cannot be written ends the wave, not the simulation.
    template <typename Body>
    void guarded_wave(const Body& body) {
        try {
            body();
        } catch (const Stopped& cause) {
            wave_error = cause.message;
            dumping = false;
            // Its destructor would try to write again, and may not throw: better to lose its memory.
            (void)wave.release();
        }
    }

    // A cycle that is dumped. The clock is still high from the edge that began it; with the new inputs settled, this
    // is its first half, so that the wave shows all that belongs to a cycle between two rising edges.
    void settle_and_dump() {
#ifndef DUT_TAKE
        model->eval();
#endif
        guarded_wave([&] { wave->dump(cycle * TICKS_PER_CYCLE); });
        settle();
        if (dumping) guarded_wave([&] { wave->dump(cycle * TICKS_PER_CYCLE + TICKS_PER_CYCLE / 2); });
    }
#endif
};

// Not inlined into step(), which is then short.
[[noreturn]] __attribute__((noinline)) void stop(const char* what, const char* file, int line) {
    std::string message{what};
    if (file && file[0]) message += std::string{" ("} + file + ":" + std::to_string(line) + ")";
    throw Stopped{message};
}

}  // namespace

// Verilator's hooks: the run-time library is compiled without its own.
int lsu_dut_print(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    show_printed();
    if (length > 0) {
        printed.resize(static_cast<size_t>(length) + 1);
        std::vsnprintf(&printed[0], printed.size(), format, again);
        printed.resize(static_cast<size_t>(length));
    }
    va_end(again);
    return length;
}
void vl_finish(const char* file, int line, const char*) VL_MT_UNSAFE { stop("$finish", file, line); }
// A failed assertion, of which several can fail at one edge: each prints its text and stops.
void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
    failed += printed.empty() ? std::string{"$stop ("} + file + ":" + std::to_string(line) + ")" : printed;
    if (failed.back() != '\n') failed += '\n';
    printed.clear();
}
void vl_fatal(const char* file, int line, const char*, const char* why) VL_MT_UNSAFE { stop(why, file, line); }

DUT_EXPORT uint32_t lsu_dut_interface() { return INTERFACE; }

DUT_EXPORT const char* lsu_dut_ports() { return dut_ports; }

// 1: can write waves; 2: collects coverage.
DUT_EXPORT uint32_t lsu_dut_features() { return (VM_TRACE ? 1u : 0u) | (VM_COVERAGE ? 2u : 0u); }

// Null when memory is short.
DUT_EXPORT void* lsu_dut_create() {
    try {
        std::unique_ptr<Dut> dut{new Dut};
        // No file may be touched unless asked for, and registers without an initial value begin at zero.
        dut->context.randReset(0);
        // The default is one thread per processor: a pool of idle threads, made and joined with every instance.
        dut->context.threads(1);
#if VM_TRACE
        dut->context.traceEverOn(true);  // must precede the model; costs nothing while nothing is dumped
#endif
        dut->model.reset(new Vtop{&dut->context, DUT_NAME});
        return dut.release();
    } catch (const Stopped&) {
        return nullptr;
    } catch (const std::exception&) {
        return nullptr;
    }
}

DUT_EXPORT void lsu_dut_destroy(void* handle) {
    Dut* const dut = static_cast<Dut*>(handle);
#if VM_TRACE
    if (dut->wave) dut->guarded_wave([&] { dut->wave->close(); });
#endif
    dut->guarded([&] { dut->model->final(); });
    delete dut;
}

namespace {

// So many cycles, the words of each behind those of the one before; `sample` gets the number of each in which every output
// has its value. Returns how many are complete.
template <typename Sample>
uint64_t run(Dut* dut, const uint32_t* in, uint64_t cycles, const Sample& sample) {
    const uint64_t first = dut->cycle;
    dut->guarded([&] {
        if (cycles == 0) return;
        dut->tell_time();
        dut->begin(in);
        for (uint64_t n = 0; n < cycles; ++n) {
#if VM_TRACE
            if (VL_UNLIKELY(dut->dumping)) {
                dut->settle_and_dump();
            } else
#endif
                dut->settle();
            sample(n);
            dut->rise(n + 1 < cycles ? in + (n + 1) * dut_input_words : nullptr);
            if (VL_UNLIKELY(!failed.empty())) break;
            dut->tell_time();
        }
    });
    return dut->cycle - first;
}

}  // namespace

// In each cycle: inputs in, settle, outputs out, rising edge. The clock falls when the next cycle's inputs are applied.
// Returns how many are complete: fewer when the Verilog stopped; then and ever after nothing moves and `lsu_dut_message`
// says why.
DUT_EXPORT uint64_t lsu_dut_run(void* handle, const uint32_t* in, uint32_t* out, uint64_t cycles) {
    Dut* const dut = static_cast<Dut*>(handle);
    return run(dut, in, cycles, [=](uint64_t n) { dut_sample(*dut->model, out + n * dut_output_words); });
}

// Settles the combinational logic without an edge; the cycle does not advance.
DUT_EXPORT int lsu_dut_evaluate(void* handle, const uint32_t* in, uint32_t* out) {
    Dut* const dut = static_cast<Dut*>(handle);
    return !dut->guarded([&] {
        dut->begin(in);
        dut->settle();
        dut_sample(*dut->model, out);
    });
}

// The yardstick: a recorded stimulus, and no look at the outputs. Of a plain model this is the loop that a test bench
// would have. Returns the cycles completed.
DUT_EXPORT uint64_t lsu_dut_bare(void* handle, const uint32_t* in, uint64_t cycles) {
    return run(static_cast<Dut*>(handle), in, cycles, [](uint64_t) {});
}

DUT_EXPORT uint64_t lsu_dut_cycle(void* handle) { return static_cast<Dut*>(handle)->cycle; }

// Whether it was a failed assertion that stopped it: then the message holds one in each line.
DUT_EXPORT int lsu_dut_is_asserted(void* handle) { return static_cast<Dut*>(handle)->asserted; }

DUT_EXPORT const char* lsu_dut_message(void* handle) { return static_cast<Dut*>(handle)->message.c_str(); }

#if VM_TRACE
// Begins a wave, in the file `path` or, where there is one, into the pipe. 0, or 1 with a message.
static int begin_wave(Dut* dut, const char* path) {
    dut->wave_error.clear();
    dut->guarded_wave([&] {
        dut->wave.reset(new VerilatedVcdC{dut->pipe.get()});
        dut->wave->set_time_unit("1ns");
        dut->wave->set_time_resolution("1ns");
        dut->model->trace(dut->wave.get(), 99);
        dut->wave->open(path);
    });
    dut->dumping = dut->wave && dut->wave->isOpen();
    if (dut->dumping) return 0;
    dut->wave.reset();
    dut->message = dut->wave_error.empty() ? "the file cannot be created" : dut->wave_error;
    return 1;
}
#endif

// Begins a wave file and dumps into it from the next cycle on. 0, or 1 with a message.
DUT_EXPORT int lsu_dut_wave_open(void* handle, const char* path) {
    Dut* const dut = static_cast<Dut*>(handle);
#if VM_TRACE
    dut->pipe.reset();
    return begin_wave(dut, path);
#else
    (void)path;
    dut->message = "the model was built without waves";
    return 1;
#endif
}

// The same without a file: every byte is handed to `take`, the whole header before this returns.
DUT_EXPORT int lsu_dut_wave_pipe(void* handle, void (*take)(void*, const char*, size_t), void* reader) {
    Dut* const dut = static_cast<Dut*>(handle);
#if VM_TRACE
    dut->pipe.reset(new WavePipe{take, reader});
    if (begin_wave(dut, "(pipe)")) return 1;
    dut->wave->flush();
    return 0;
#else
    (void)take;
    (void)reader;
    dut->message = "the model was built without waves";
    return 1;
#endif
}

// Goes on or pauses; what happens during a pause is not in the file, which shows the state held.
DUT_EXPORT void lsu_dut_wave_dump(void* handle, int on) {
#if VM_TRACE
    Dut* const dut = static_cast<Dut*>(handle);
    dut->dumping = on && dut->wave;
#else
    (void)handle;
    (void)on;
#endif
}

// Ends the wave file. 0, or 1 with a message when not all of it could be written.
DUT_EXPORT int lsu_dut_wave_close(void* handle) {
    Dut* const dut = static_cast<Dut*>(handle);
#if VM_TRACE
    dut->dumping = false;
    if (dut->wave) {
        dut->guarded_wave([&] {
            dut->wave->flush();
            // Verilator also closes the file itself at some failed writes.
            if (!dut->wave->isOpen()) dut->wave_error = "not all of it could be written";
            dut->wave->close();
        });
        dut->wave.reset();
    }
    if (dut->wave_error.empty()) return 0;
    dut->message = dut->wave_error;
    return 1;
#else
    (void)dut;
    return 0;
#endif
}

// Writes the coverage counted so far in Verilator's text format. 0, or 1 with a message.
DUT_EXPORT int lsu_dut_coverage_write(void* handle, const char* path) {
    Dut* const dut = static_cast<Dut*>(handle);
#if VM_COVERAGE
    try {
        dut->context.coveragep()->write(path);
        return 0;
    } catch (const Stopped& cause) {
        dut->message = cause.message;
    } catch (const std::exception& cause) {
        dut->message = cause.what();
    }
#else
    (void)path;
    dut->message = "the model was built without coverage";
#endif
    return 1;
}
