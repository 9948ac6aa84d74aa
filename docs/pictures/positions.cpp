// Drawn with docs/18-from-here.md
#include <docs/plot.h>

const Tensor PE = nn::sinusoidal_positions(41, 64, 0, float64);
docs::Plot plot({.title = "PE(20) . PE(t), 64 dimensions", .x = "position t", .y = "dot product"});
plot.line("PE(20) . PE(t)", PE.matmul(PE[20]).to_vector());
plot.write("pictures/positions.svg");
