#include "examples/translate/report/attention_picture.h"

#include <autograd/tensor/error.h>
#include <fmt/ranges.h>
#include <nn/attention/heatmap.h>
#include <nn/measures/alignment.h>

#include <cstdio>

namespace translate {

autograd::Tensor weights_of_words(const autograd::Tensor& weights, const Words& target, const Words& source) {
  const auto rows = std::ssize(target);
  const auto columns = std::ssize(source);
  if (weights.dim() != 2 || weights.size(0) < rows || weights.size(1) < columns) {
    autograd::fail(autograd::ErrorId::shape_mismatch, "weights_of_words", autograd::Where::current(),
                   fmt::format("weights {} for {} target and {} source words", weights.shape(), rows, columns),
                   "give a row for each target word and a column for each source word; eos may follow");
  }
  return weights.narrow(0, 0, rows).narrow(1, 0, columns);
}

std::string AttentionPicture::links() const {
  if (source.empty() || target.empty()) return "";
  std::vector<std::string> links;
  for (const nn::AlignmentLink& link : nn::strongest_links(weights_of_words(weights, target, source))) {
    links.push_back(fmt::format("{}-{}", link.source, link.target));
  }
  return join(links);
}

std::string AttentionPicture::text() const {
  if (source.empty() || target.empty()) return "";
  return nn::heatmap_text(weights_of_words(weights, target, source), target, source,
                          {.title = title, .style = nn::heatmap_style_for(stdout)});
}

std::string AttentionPicture::svg() const {
  return nn::heatmap_svg(weights_of_words(weights, target, source), target, source,
                         {.title = title.empty() ? join(source) : title});
}

}  // namespace translate
