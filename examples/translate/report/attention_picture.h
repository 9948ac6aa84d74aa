// AttentionPicture: the attention of one sentence, as links, for the terminal, and as an SVG.
#pragma once

#include <autograd/autograd.h>

#include <string>

#include "examples/translate/data/text.h"

namespace translate {

// A target sentence, the source that it was made from, and the attention between them.
struct AttentionPicture {
  Words source;
  Words target;
  autograd::Tensor weights;  // [target or more, source or more]; eos and padding may follow the words
  std::string title = "";    // the source unless given

  // Returns "0-0 1-2": each target word with the source word that it looks at most.
  std::string links() const;
  // Returns a heatmap for standard output.
  std::string text() const;
  std::string svg() const;
};

// Returns the rows and columns of words alone, without eos and padding. Throws shape-mismatch if there are fewer.
autograd::Tensor weights_of_words(const autograd::Tensor& weights, const Words& target, const Words& source);

}  // namespace translate
