#include "examples/translate/attention_picture.h"

#include <fmt/core.h>
#include <nn/pictures/heatmap.h>

#include <cstdio>

namespace translate {

autograd::Tensor AttentionPicture::of_words() const {
  const auto rows = static_cast<std::int64_t>(target.size());
  const auto columns = static_cast<std::int64_t>(source.size());
  return weights.narrow(0, 0, rows).narrow(1, 0, columns);
}

std::string AttentionPicture::links() const {
  if (source.empty() || target.empty()) return "";
  std::string text;
  for (const nn::AlignmentLink& link : nn::strongest_links(of_words())) {
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", link.source, link.target);
  }
  return text;
}

std::string AttentionPicture::text() const {
  if (source.empty() || target.empty()) return "";
  nn::HeatmapOptions options;
  options.style = nn::heatmap_style_for(stdout);
  return nn::heatmap_text(of_words(), target, source, options);
}

std::string AttentionPicture::svg() const {
  return nn::heatmap_svg(of_words(), target, source, {.title = join(source)});
}

}  // namespace translate
