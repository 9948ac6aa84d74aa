#include "judge/setting.h"

#include <autograd/autograd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace judge {

Setting usual_setting() {
  return {axes};
}

std::vector<Setting> other_settings(std::uint64_t seed) {
  Setting longer{axes, 3 * seed + 1};
  Setting shorter{axes, 3 * seed + 2};
  Setting mixed{axes, 3 * seed + 3};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    longer.sizes[i].size = axes[i].size + 1;
    shorter.sizes[i].size = std::max<std::int64_t>(2, axes[i].size - 1);
    mixed.sizes[i].size = axes[i].size + (i % 2 == 0 ? 2 : 0);
  }
  return {longer, shorter, mixed};
}

std::vector<Setting> special_settings(std::uint64_t seed) {
  std::vector<Setting> settings{{axes, 4 * seed + 4}, {axes, usual_seed + seed, Numbers::zeros_and_ties}};
  Axes all_one = axes;
  for (Axis& axis : all_one) {
    settings.push_back({with_size(axes, axis.name, 1)});
    axis.size = 1;
  }
  if (axes.size() > 1) settings.push_back({all_one});
  return settings;
}

std::vector<Setting> drawn_settings(std::uint64_t seed) {
  constexpr std::uint64_t count = 10;
  autograd::Generator random(count * seed + 1000);
  std::vector<Setting> settings;
  for (std::uint64_t i = 0; i < count; ++i) {
    Setting drawn{axes, count * seed + 100 + i, static_cast<Numbers>(i % (static_cast<int>(Numbers::far_apart) + 1))};
    for (Axis& axis : drawn.sizes) axis.size = random.integer(1, axis.size + 4);
    if (!axes.empty()) {
      Axis& far = drawn.sizes[i % axes.size()];
      far.size = 2 * axes[i % axes.size()].size + random.integer(0, 3);
    }
    settings.push_back(std::move(drawn));
  }
  return settings;
}

Axes with_size(Axes sizes, const std::string& name, std::int64_t size) {
  for (Axis& axis : sizes) {
    if (axis.name == name) axis.size = size;
  }
  return sizes;
}

}  // namespace judge
