// One sentence, or document, of the artificial languages (artificial_language.h), drawn at random.
#pragma once

#include <autograd/autograd.h>

#include "examples/translate/parallel_text.h"

namespace translate {

// The finite verb stands second in main clauses and last in subordinate ones; with a conjunction between clauses.
SentencePair artificial_sentence(int clauses, bool agreement, autograd::Generator& generator);

// Sentences of one short clause each, with sentence_end behind each.
SentencePair artificial_document(int sentences, bool agreement, autograd::Generator& generator);

}  // namespace translate
