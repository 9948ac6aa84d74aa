#include "export.h"

#include <fmt/core.h>

#include <algorithm>

#include "maker.h"

namespace random_programs {
namespace {

using Json = nlohmann::json;

Json numbers_in(const std::vector<Tensor>& tensors) {
  Json all = Json::array();
  for (const Tensor& tensor : tensors) {
    all.push_back(tensor.defined() ? Json(tensor.to_vector()) : Json(nullptr));
  }
  return all;
}

}  // namespace

Json values_to_json(const Outcome& outcome) {
  Json records = Json::object();
  for (const auto& [step, gradients] : outcome.records) records[std::to_string(step)] = numbers_in(gradients);
  return {{"roots", numbers_in(outcome.roots)},
          {"gradients", numbers_in(outcome.gradients)},
          {"retained", numbers_in(outcome.retained)},
          {"records", records}};
}

int export_programs(std::uint64_t seed, std::uint64_t count) {
  for (std::uint64_t made = 0; made < count; ++seed) {
    if (size_of(seed) == Size::large) continue;
    const Program program = make_program(seed);
    const bool is_pytorch = std::none_of(program.steps.begin(), program.steps.end(),
                                         [](const Step& step) { return step.word == "dropout_of_seed"; });
    if (!is_pytorch) continue;
    Json line = {{"seed", seed},
                 {"program", to_json(program)},
                 {"python", as_text(program)},
                 {"values", values_to_json(run(program))}};
    fmt::print("{}\n", line.dump());
    ++made;
  }
  return 0;
}

}  // namespace random_programs
