//! What has no Verilog of its own: registers, and the two memories, written by hand as modules with parameters.

/// What a register has in the place of its Verilog, which the writer knows by heart; its reset value follows, in hexadecimal digits.
pub const REGISTER: &str = "// Register, reset to ";

/// Name of a memory with an asynchronous read: what its block has in the place of Verilog.
pub const MEMORY: &str = "memory";

/// Name of a memory with byte strobes and a registered read: the same.
pub const STROBE_MEMORY: &str = "strobe_memory";

/// What a memory is, in a line.
pub(crate) const MEMORY_COMMENT: &str =
    "asynchronous read, synchronous write, zero at power-up; in the form that synthesis maps to distributed RAM.";

/// The same of the other one.
pub(crate) const STROBE_MEMORY_COMMENT: &str = "words of 32 bits with byte strobes, registered reads, zero at power-up; in the \
    form that synthesis maps to block RAM, one for each read port. Nobody needs a byte that is read at the edge that writes it (contracts of its owner say so), \
    so synthesis adds no logic for that case.";

/// A memory of `2**ADDRESS_BITS` words of `WIDTH` bits, behind the word `module` and its name.
pub(crate) const MEMORY_TEXT: &str = " #(
    parameter ADDRESS_BITS = 1,  // The memory has 2**ADDRESS_BITS words.
    parameter WIDTH        = 1  // Bits of a word.
) (
    input  wire                    clk,  // Rising edge writes.
    input  wire [ADDRESS_BITS-1:0] read_address,  // Word to read.
    output wire [WIDTH-1:0]        read_data,  // The word at read_address, in the same cycle.
    input  wire                    write_enable,  // Write write_data at the next edge.
    input  wire [ADDRESS_BITS-1:0] write_address,  // Word to write.
    input  wire [WIDTH-1:0]        write_data  // Value to write.
);
    localparam WORDS = 1 << ADDRESS_BITS;
    reg [WIDTH-1:0] words [0:WORDS-1];

    initial begin : power_up
        integer i;
        for (i = 0; i < WORDS; i = i + 1) begin
            words[i] = {WIDTH{1'b0}};
        end
    end

    assign read_data = words[read_address];

    always @(posedge clk) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule";

/// A memory of `2**ADDRESS_BITS` words of 32 bits, behind the word `module` and its name.
pub(crate) const STROBE_MEMORY_TEXT: &str = " #(
    parameter ADDRESS_BITS = 1,  // The memory has 2**ADDRESS_BITS words.
    parameter READS        = 1  // Words that are read at once.
) (
    input  wire                          clk,  // Rising edge reads and writes.
    input  wire                          read_enable,  // Load read_data at the next edge.
    input  wire [READS*ADDRESS_BITS-1:0] read_address,  // Word to read at each port.
    output reg  [READS*32-1:0]           read_data,  // The word read last at each.
    input  wire [3:0]                    write_strobe,  // Bytes to write at the next edge.
    input  wire [ADDRESS_BITS-1:0]       write_address,  // Word to write.
    input  wire [31:0]                   write_data  // Value to write.
);
    localparam WORDS = 1 << ADDRESS_BITS;
    (* ram_style = \"block\", no_rw_check *) reg [31:0] words [0:WORDS-1];

    initial begin : power_up
        integer i;
        for (i = 0; i < WORDS; i = i + 1) begin
            words[i] = 32'd0;
        end
    end

    initial read_data = {READS{32'd0}};

    always @(posedge clk) begin : read_logic
        integer i;
        if (read_enable) begin
            for (i = 0; i < READS; i = i + 1) begin
                read_data[i * 32 +: 32] <= words[read_address[i * ADDRESS_BITS +: ADDRESS_BITS]];
            end
        end
    end

    always @(posedge clk) begin
        if (write_strobe[0]) begin
            words[write_address][7:0] <= write_data[7:0];
        end
        if (write_strobe[1]) begin
            words[write_address][15:8] <= write_data[15:8];
        end
        if (write_strobe[2]) begin
            words[write_address][23:16] <= write_data[23:16];
        end
        if (write_strobe[3]) begin
            words[write_address][31:24] <= write_data[31:24];
        end
    end
endmodule";
