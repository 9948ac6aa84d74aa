// Curve: how a training went, as a table (CSV) and as pictures.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "examples/translate/report/report.h"

namespace translate {

// One row. Only the row at the end of an epoch has the measures of the validation text.
struct CurvePoint {
  std::int64_t step = 0;                // updates so far
  std::int64_t epoch = 0;               // from 1
  double training_loss = not_measured;  // mean per target word since the row before, in nats
  double perplexity = not_measured;
  double bleu = not_measured;         // greedy; 0 to 100
  double exact_match = not_measured;  // percent
  // Percent; measured where alignments are known, and only over the must-look words where those are known.
  double alignment_error_rate = not_measured;

  bool is_validation() const { return perplexity == perplexity; }
};

using Curve = std::vector<CurvePoint>;

// Returns "update,epoch,training_loss,validation_perplexity,bleu,exact_match,alignment_error_rate" and a line for each
// point. What was not measured is empty.
std::string curve_csv(const Curve& curve);

// Writes curve.csv; curve.svg, the loss in training and validation; and quality.svg, the measures of quality, once
// there are any. Each is written completely or not at all. Throws bad-file.
void write_curve(const std::filesystem::path& folder, const Curve& curve);

// Returns [points, 7], float64, exact: for a checkpoint.
autograd::Tensor to_tensor(const Curve& curve);
// The reverse. Throws bad-file for a tensor that is not a curve.
Curve curve_from(const autograd::Tensor& tensor);

}  // namespace translate
