// The attention of one sentence: as links, in the terminal, and as a picture.
#pragma once

#include <autograd/autograd.h>
#include <nn/measures/alignment.h>

#include <string>

#include "examples/translate/words.h"

namespace translate {

// What a target was made from. weights may have more rows and columns than there are words: of eos and padding.
struct AttentionPicture {
  Words source;
  Words target;
  autograd::Tensor weights;  // [target or more, source or more]

  // The rows and columns of words, [target, source].
  autograd::Tensor of_words() const;
  // "0-0 1-2": each target word with the source word that it looks at most.
  std::string links() const;
  // For standard output.
  std::string text() const;
  std::string svg() const;
};

}  // namespace translate
