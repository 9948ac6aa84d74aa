// Heatmaps of attention weights: which source positions each target word was made from, for a terminal and as an SVG
// picture. The picture is that of Bahdanau, Cho and Bengio 2015, figure 3: one row per target word, one column per
// source word.
//
//   const auto [logits, weights] = model(src, lengths, tgt_in);              // weights [B, T, S]
//   fmt::print("{}", heatmap_text(weights[0], target_words, source_words));
//
// Labels are UTF-8. Control characters in them show as \x0a and the like; a label that may be a blank is better given
// as "␣".
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

// How heatmap_text draws.
enum class HeatmapStyle {
  ascii,    // the ten characters " .:-=+*#%@", from nothing to full
  shading,  // the five characters " ░▒▓█"
  colours,  // escape sequences with colours from dark blue to yellow (viridis), of xterm's 256
};

// What the terminal at this stream can show: colours by TERM; shading in a terminal without colours, in a file, and
// wherever NO_COLOR (https://no-color.org) is set; ascii in a terminal whose locale is not UTF-8.
HeatmapStyle heatmap_style_for(std::FILE* stream);

struct HeatmapOptions {
  std::string title = "";
  std::string row_axis = "target";
  std::string column_axis = "source";
  double full = 1.0;                           // the value with the strongest colour, also that of larger ones
  HeatmapStyle style = HeatmapStyle::shading;  // of the text
  Flag show_values = false;                    // as numbers in the picture's cells
};

// matrix [targets, sources], with a label for each row and each column. Both throw shape-mismatch for a matrix
// that is none or whose labels are too few or too many, and bad-argument for elements that are negative or not finite
// and for a `full` that is not positive.

// Lines for the terminal, with a line end after each.
std::string heatmap_text(const Tensor& matrix, const std::vector<std::string>& row_labels,
                         const std::vector<std::string>& column_labels, const HeatmapOptions& options = {},
                         Where where = Where::current());

// A picture that follows the reader's choice of light or dark. It contains a description in words.
std::string heatmap_svg(const Tensor& matrix, const std::vector<std::string>& row_labels,
                        const std::vector<std::string>& column_labels, const HeatmapOptions& options = {},
                        Where where = Where::current());

}  // namespace autograd
