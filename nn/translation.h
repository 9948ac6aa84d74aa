// Translators, from vocabulary to search.
#pragma once

#include "nn/translation/batches.h"
#include "nn/translation/ensemble.h"
#include "nn/translation/positional_encoding.h"
#include "nn/translation/recurrent_translator.h"
#include "nn/translation/search.h"
#include "nn/translation/seq2seq.h"
#include "nn/translation/transformer.h"
#include "nn/translation/transformer_translator.h"
#include "nn/translation/translation_model.h"
#include "nn/translation/vocabulary.h"
