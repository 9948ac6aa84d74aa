#include "examples/translate/training/run_options.h"

#include <fmt/ranges.h>

#include <limits>

#include "examples/translate/messages.h"

namespace translate {

Json to_json(const RunOptions& options) {
  Json all = to_json(options.model);
  all.update(to_json(options.data));
  all.update(to_json(options.training));
  return all;
}

void check_options(const RunOptions& options) {
  check_options(options.model);
  check_options(options.data);
  check_options(options.training);
  check_range("save-every", options.save_every, 1, std::numeric_limits<std::int64_t>::max());
}

void check_new_run(const RunOptions& options) {
  check_options(options);
  check_what_fits_the_data(options.data);
  const bool has_coverage = options.model.model == "attention" && options.model.attention == "coverage";
  if (options.training.coverage_loss > 0.0 && !has_coverage) {
    refuse_option("--coverage-loss is set, but only the attention \"coverage\" has such a loss",
                  "leave it out, or add --attention coverage");
  }
}

RunOptions resumed_options(RunOptions wanted, const Json& of_run) {
  Json all = to_json(wanted);
  all.update(of_run);
  std::vector<std::string> forbidden;
  const Json asked = to_json(wanted);
  for (const auto& [name, value] : asked.items()) {
    const bool is_meant = !wanted.given || wanted.given->count(name) != 0;
    if (!is_meant || value == all[name]) continue;
    const bool may_change = name == "epochs" || name == "steps" || name == "lr" || name == "data";
    if (!may_change) forbidden.push_back(fmt::format("--{} {} ({} there)", name, value.dump(), all[name].dump()));
    all[name] = value;
  }
  if (!forbidden.empty()) {
    refuse_option(
        fmt::format("{} holds a training with other options: {}", wanted.folder.string(), fmt::join(forbidden, ", ")),
        "only --epochs, --steps, --lr may change when it is resumed");
  }
  set_options(wanted.model, all);
  set_options(wanted.data, all);
  set_options(wanted.training, all);
  return wanted;
}

}  // namespace translate
