// Drawn with docs/notation.md
#include <docs/cells.h>

docs::Cells picture("One colour each");
picture.vector("query", {0, 0}, "query", tensor({0.5, 0.2}), docs::query);
picture.vector("key", {120, 0}, "key", tensor({1.0, 0.5}), docs::key);
picture.vector("W", {240, 0}, "learnt", tensor({0.8, 0.3}), docs::learnt);
picture.op("op", {120, 75}, "op");
picture.vector("value", {120, 130}, "", tensor({0.4, 0.1}), docs::value);
picture.note({175, 135}, "value");
picture.gradient("value", "its gradient", tensor({-0.1, 0.6}));
for (const char* from : {"query", "key", "W"}) picture.arrow(from, "op");
picture.arrow("op", "value"), picture.arrow("value", "op", docs::gradient);
picture.write("pictures/colours.svg");
