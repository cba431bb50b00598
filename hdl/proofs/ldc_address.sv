// The LDC address unit is equal to its formula, for all inputs (rules LDC-1 to LDC-7): bank and address of one lane,
// whether the result is 0 whatever the table says, and which banks are unpredictable. The formula is written from the
// rules' text: in whole numbers, with a sign, wide enough that nothing wraps but where LDC-2 says so.
//
// Assumes: an operation of LDC (not a constant load), whose addend is the 16-bit immediate, signed with an operand and
// unsigned without (LDC-1, LDC-2), and whose operand is 0 if there is none; intake makes that of it.
module ldc_address (
    input [31:0] ra, input ra_is_rz, input [15:0] imm, input [4:0] bank, input [1:0] mode, input compute
);
    wire [33:0] addend = ra_is_rz ? {18'd0, imm} : {{18{imm[15]}}, imm};
    wire [31:0] address;
    wire [4:0] bank_low;
    wire outside, beyond, unsupported, upper_bank;

    lsu_ldc_address unit (
        .is_load(1'b0), .ra(ra_is_rz ? 32'd0 : ra), .addend(addend), .bank(bank), .mode(mode), .compute(compute),
        .address(address), .outside(outside), .bank_low(bank_low), .beyond(beyond), .unsupported(unsupported), .upper_bank(upper_bank)
    );

    localparam IA = 0, IL = 1, IS = 2, ISL = 3;
    // LDC-1, LDC-2.
    wire signed [39:0] operand = ra_is_rz ? 40'sd0 : $signed({8'd0, ra});
    wire signed [39:0] offset = ra_is_rz ? $signed({24'd0, imm}) : $signed({{24{imm[15]}}, imm});
    wire signed [39:0] exact = operand + offset;
    wire [31:0] sum = exact[31:0];
    reg signed [39:0] banks, inside;

    always @(*) begin
        // LDC-3; and LDC-1 in every mode.
        banks = bank;
        inside = sum;
        if (!ra_is_rz) begin
            // LDC-4.
            if (mode == IL) begin
                banks = bank + (sum >> 16);
                inside = sum % 65536;
            end
            // LDC-5, LDC-6.
            if (mode == IS || mode == ISL) begin
                banks = bank + (ra >> 16);
                inside = $signed({24'd0, ra[15:0]}) + offset;
            end
        end
    end

    // LDC-5, LDC-6, LDC-7, and LDC-8 as far as no bank is larger than 64 KB.
    wire zero = banks >= (compute ? 8 : 18) || (mode == ISL && banks > 13) || inside < 0 || inside > 65535;

    always @(*) begin
        // The fault record names the sum before the mode splits it.
        whole: assert (address == sum);
        gives_0: assert ((beyond | unsupported) == zero);
        if (!zero) begin
            which_bank: assert (bank_low == banks);
            where: assert (address[15:0] == inside);
        end
        unpredictable: assert (upper_bank == (banks >= 8));
        never_outside: assert (!outside);
    end
endmodule
