module lsu(input wire clk, input wire rst, input wire [7:0] a, output reg [39:0] q, output wire ok);
  localparam IDLE = 2'd0;
  reg [31:0] mem [0:3];
  reg [1:0] state;
  assign ok = state == IDLE;
  genvar g; generate for (g=0; g<2; g=g+1) begin : lane
    wire [3:0] x = a[3:0] + g; cell2 c(.i(x), .o());
  end endgenerate
  always @(posedge clk) if (rst) begin q<=0; state<=0; end else begin q <= q + a; mem[a[1:0]] <= q[31:0]; state <= state+1; end
endmodule
module cell2(input wire [3:0] i, output wire [3:0] o); assign o = ~i; endmodule
