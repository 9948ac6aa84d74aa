// The attention of one sentence: as links, in the terminal, and as a picture.
#pragma once

#include <autograd/autograd.h>

#include <string>

#include "examples/translate/data/text.h"

namespace translate {

// What a target was made from.
struct AttentionPicture {
  Words source;
  Words target;
  autograd::Tensor weights;  // [target or more, source or more]; behind the words there may be eos and padding
  std::string title = "";    // the source unless given

  // "0-0 1-2": each target word with the source word that it looks at most.
  std::string links() const;
  // For standard output.
  std::string text() const;
  std::string svg() const;
};

// The rows and columns of words alone, without eos and padding. Throws shape-mismatch if there are fewer.
autograd::Tensor weights_of_words(const autograd::Tensor& weights, const Words& target, const Words& source);

}  // namespace translate
