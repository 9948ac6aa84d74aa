// the training of the small network
#include ANSWER

#include "mine/mirror.h"

// The parameters are the exercise's nodes; what is computed from them is built as numbers, and mirrored.
extern "C" void plug_in(mine::Parts& parts) {
  parts.train.plug_in(9,
                      [](const std::vector<mine::NumberPtr>& numbers, const mine::Loss& loss, int steps, double rate) {
                        std::vector<NodePtr> parameters;
                        for (const mine::NumberPtr& number : numbers) parameters.push_back(given::leaf(number->data));
                        const auto bring_back = [&] {
                          for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i]->data = parameters[i]->data;
                        };
                        const auto mirrored = [&] {
                          bring_back();
                          mine::Mirror<Node> mirror;
                          for (std::size_t i = 0; i < numbers.size(); ++i) mirror.set(numbers[i], parameters[i]);
                          return mirror.of(loss());
                        };
                        const std::vector<double> losses = train(parameters, mirrored, steps, rate);
                        bring_back();
                        return losses;
                      });
}
