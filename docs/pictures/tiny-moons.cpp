// Drawn with docs/03-a-tiny-engine.md
#include <docs/plot.h>

const std::vector<Point> points = two_moons(20);
const Network network;
const auto loss = [&] { return mean_squared_error(network, points); };
docs::Plot curve({.title = "The tiny engine trains", .x = "step", .y = "loss", .log_y = true});
curve.line("loss", train(network.parameters(), loss, 300, 0.15));
curve.write("pictures/tiny-loss.svg");

std::vector<double> x1[2], x2[2], line1, line2;
for (const Point& point : points) {
  x1[point.target > 0.0].push_back(point.x1);
  x2[point.target > 0.0].push_back(point.x2);
}
for (double across = -1.2; across < 2.2; across += 0.025) {
  bool was_positive = network(across, -0.8)->data > 0.0;
  for (double up = -0.775; up < 1.3; up += 0.025) {
    const bool is_positive = network(across, up)->data > 0.0;
    if (is_positive != was_positive) line1.push_back(across), line2.push_back(up - 0.0125);
    was_positive = is_positive;
  }
}
docs::Plot moons({.title = "What the network has learnt", .x = "x1", .y = "x2", .dots = true});
moons.line("target -1", x1[0], x2[0]);
moons.line("target 1", x1[1], x2[1]);
moons.line("the network says 0", line1, line2);
moons.write("pictures/tiny-moons.svg");
