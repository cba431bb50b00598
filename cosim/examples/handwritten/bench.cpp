// A bench for loads and stores of global memory, as one writes it by hand for a unit of these ports: it drives the operations of
// its files, answers the memory port after a fixed latency, and compares every loaded word with an array that each store has changed.
//
//   bench FILE...
//
// A line of a file is one operation: `L WARP MASK ADDRESS...` or `S WARP MASK ADDRESS... WORD...`, hexadecimal, one address and one word
// a lane; words of 4 bytes. Each file runs from a reset, on memory in which every word is its own address. Prints, of each file, its
// cycles and the seconds of the loop; ends with status 1 at the first wrong word. LANES and ADDRESS_BITS are defined on the command line.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "Vlsu.h"
#include "verilated.h"

constexpr uint64_t LATENCY = 20;
constexpr uint64_t PATIENCE = 20000;
constexpr uint64_t MEMORY_BYTES = 1 << 20;
constexpr int TAGS = 256;

struct Operation {
    bool is_store;
    uint32_t warp, mask;
    uint64_t address[LANES];
    uint32_t word[LANES];
};

struct Response {
    uint64_t due;
    uint8_t id;
    uint32_t data[8];
};

[[noreturn]] static void fail(uint64_t cycle, const char* what, uint64_t found, uint64_t expected) {
    std::fprintf(stderr, "cycle %lu: %s is %#lx, not %#lx\n", cycle, what, found, expected);
    std::exit(1);
}

static std::vector<Operation> read(const char* path) {
    std::ifstream file(path);
    std::vector<Operation> operations;
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        Operation operation{};
        char kind;
        fields >> kind >> std::hex >> operation.warp >> operation.mask;
        operation.is_store = kind == 'S';
        for (auto& address : operation.address) fields >> address;
        if (operation.is_store)
            for (auto& word : operation.word) fields >> word;
        if (!fields) {
            std::fprintf(stderr, "%s: not an operation: %s\n", path, line.c_str());
            std::exit(2);
        }
        operations.push_back(operation);
    }
    return operations;
}

// Addresses stand side by side, ADDRESS_BITS each.
template <class Pins>
static void put_address(Pins& pins, int lane, uint64_t address) {
    for (int bit = lane * ADDRESS_BITS, left = ADDRESS_BITS; left > 0;) {
        const int shift = bit % 32, count = left < 32 - shift ? left : 32 - shift;
        const uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << shift;
        pins[bit / 32] = (pins[bit / 32] & ~mask) | ((static_cast<uint32_t>(address) << shift) & mask);
        address >>= count;
        bit += count;
        left -= count;
    }
}

static void run(const char* path) {
    const std::vector<Operation> operations = read(path);
    VerilatedContext context;
    auto unit = std::make_unique<Vlsu>(&context);

    // What memory holds, and what it has to hold once all stores are done.
    std::vector<uint32_t> memory(MEMORY_BYTES / 4), expected(MEMORY_BYTES / 4);
    for (uint32_t word = 0; word < MEMORY_BYTES / 4; word++) memory[word] = expected[word] = 4 * word;

    struct {
        bool in_use, is_store;
        uint32_t mask, word[LANES];
    } in_flight[TAGS] = {};
    std::deque<Response> responses;
    std::deque<std::pair<uint8_t, const Operation*>> data;
    size_t next = 0, completed = 0;
    uint8_t next_tag = 0;
    uint64_t cycle = 0, last_event = 0;

    // What stays as it is.
    unit->req_space = 1;
    unit->req_size = 2;
    unit->req_dst_width = 1;
    unit->req_rd = 1;
    unit->wb_ready = unit->fault_ready = unit->done_ready = 1;
    unit->mem_req_ready = 1;
    unit->rst = unit->rst_mem = 1;

    const auto begin = std::chrono::steady_clock::now();
    for (; completed < operations.size() || !responses.empty(); cycle++) {
        // Inputs.
        unit->rst = unit->rst_mem = cycle == 0;
        unit->req_valid = cycle > 0 && next < operations.size() && !in_flight[next_tag].in_use;
        if (unit->req_valid) {
            const Operation& operation = operations[next];
            unit->req_tag = next_tag;
            unit->req_op = operation.is_store;
            unit->req_warp = operation.warp;
            unit->req_mask = operation.mask;
            for (int lane = 0; lane < LANES; lane++) put_address(unit->req_addr, lane, operation.address[lane]);
        }
        unit->wdata_valid = !data.empty();
        if (unit->wdata_valid) {
            unit->wdata_tag = data.front().first;
            for (int lane = 0; lane < LANES; lane++) unit->wdata_data[lane] = data.front().second->word[lane];
        }
        unit->mem_rsp_valid = !responses.empty() && responses.front().due <= cycle;
        if (unit->mem_rsp_valid) {
            unit->mem_rsp_id = responses.front().id;
            for (int word = 0; word < 8; word++) unit->mem_rsp_data[word] = responses.front().data[word];
        }
        unit->clk = 0;
        unit->eval();

        // Outputs.
        if (cycle > 0) {
            if (unit->fault_valid) fail(cycle, "fault_valid", 1, 0);
            if (unit->wb_valid) {
                // Some lanes may come before the others; each comes once.
                auto& operation = in_flight[unit->wb_tag];
                if (!operation.in_use || operation.is_store) fail(cycle, "wb_tag", unit->wb_tag, 0);
                if (unit->wb_mask & ~operation.mask) fail(cycle, "wb_mask", unit->wb_mask, operation.mask);
                for (int lane = 0; lane < LANES; lane++)
                    if (unit->wb_mask >> lane & 1 && unit->wb_data[lane] != operation.word[lane])
                        fail(cycle, "wb_data", unit->wb_data[lane], operation.word[lane]);
                operation.mask &= ~unit->wb_mask;
                if (unit->wb_last) {
                    if (operation.mask) fail(cycle, "wb_mask of the last part", unit->wb_mask, unit->wb_mask | operation.mask);
                    operation.in_use = false;
                    completed++;
                }
                last_event = cycle;
            }
            if (unit->done_valid) {
                if (!in_flight[unit->done_tag].in_use || !in_flight[unit->done_tag].is_store)
                    fail(cycle, "done_tag", unit->done_tag, 0);
                in_flight[unit->done_tag].in_use = false;
                completed++;
                last_event = cycle;
            }
            if (unit->mem_rsp_valid && unit->mem_rsp_ready) responses.pop_front();
            if (unit->mem_req_valid) {
                Response response{cycle + LATENCY, static_cast<uint8_t>(unit->mem_req_id), {}};
                const uint64_t first = unit->mem_req_addr / 4;
                if (first + 8 > memory.size()) fail(cycle, "mem_req_addr", unit->mem_req_addr, MEMORY_BYTES);
                for (int word = 0; word < 8; word++) {
                    const uint32_t bytes = unit->mem_req_strb >> 4 * word & 15;
                    const uint32_t mask =
                        (bytes & 1) * 0xffu | (bytes >> 1 & 1) * 0xff00u | (bytes >> 2 & 1) * 0xff0000u | (bytes >> 3) * 0xff000000u;
                    if (unit->mem_req_write)
                        memory[first + word] = (memory[first + word] & ~mask) | (unit->mem_req_data[word] & mask);
                    else
                        response.data[word] = memory[first + word];
                }
                responses.push_back(response);
            }
            if (unit->wdata_valid && unit->wdata_ready) data.pop_front();
            if (unit->req_valid && unit->req_ready) {
                const Operation& operation = operations[next++];
                auto& slot = in_flight[next_tag];
                slot = {true, operation.is_store, operation.mask, {}};
                for (int lane = 0; lane < LANES; lane++) {
                    if (!(operation.mask >> lane & 1)) continue;
                    uint32_t& word = expected[operation.address[lane] / 4];
                    if (operation.is_store)
                        word = operation.word[lane];
                    else
                        slot.word[lane] = word;
                }
                if (operation.is_store) data.emplace_back(next_tag, &operation);
                next_tag++;
                last_event = cycle;
            }
            if (cycle - last_event > PATIENCE) fail(cycle, "operations completed", completed, operations.size());
        }
        unit->clk = 1;
        unit->eval();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    for (size_t word = 0; word < memory.size(); word++)
        if (memory[word] != expected[word]) fail(cycle, "memory", memory[word], expected[word]);
    std::printf("%lu %.9f\n", cycle, seconds.count());
}

int main(int count, char** arguments) {
    for (int file = 1; file < count; file++) run(arguments[file]);
}
