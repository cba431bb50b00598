// Cells of the ECP5 as ABC is told of them while it maps the unit: `fmax` gives them these types before, and takes them back after.
//
// ABC knows one time for all ends of all ways, that of the longest, and makes every shorter way as long to save LUTs. Routed, the longest of
// thousands that are equally long is longer than the longest of a hundred. So what can be reached sooner than that wants its inputs one LUT
// (240 ps) and one wire (900 ps) before the edge.

// A flip-flop, but for those whose ways cannot be shorter.
(* blackbox *)
module EARLY_FF(input CLK, LSR, CE, DI, M, output Q);
    parameter GSR = "ENABLED";
    parameter [127:0] CEMUX = "1";
    parameter CLKMUX = "CLK";
    parameter LSRMUX = "LSR";
    parameter SRMODE = "LSR_OVER_CE";
    parameter REGSET = "RESET";
    parameter [127:0] LSRMODE = "LSR";
    specify
        $setup(DI, posedge CLK, 1140);
        $setup(CE, posedge CLK, 1140);
        $setup(LSR, posedge CLK, 1140);
        (posedge CLK => (Q : DI)) = 0;
    endspecify
endmodule

// A memory of LUTs that is read with an address out of a register.
(* blackbox *)
module EARLY_RAM(input [3:0] DI, WAD, input WRE, WCK, input [3:0] RAD, output [3:0] DO);
    parameter WCKMUX = "WCK";
    parameter WREMUX = "WRE";
    parameter [63:0] INITVAL = 64'h0000000000000000;
    specify
        $setup(DI, posedge WCK, 1140);
        $setup(WAD, posedge WCK, 1140);
        $setup(WRE, posedge WCK, 1140);
        (posedge WCK => (DO : DI)) = 1140;
    endspecify
endmodule

// One that is read with any: a LUT and a wire. Yosys itself says 0, and that it does not know.
(* abc9_box, blackbox *)
module READ_RAM(input [3:0] DI, WAD, input WRE, WCK, input [3:0] RAD, output [3:0] DO);
    parameter WCKMUX = "WCK";
    parameter WREMUX = "WRE";
    parameter [63:0] INITVAL = 64'h0000000000000000;
    specify
        (RAD *> DO) = 1140;
    endspecify
endmodule
