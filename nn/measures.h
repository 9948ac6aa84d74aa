// How good a translation is, and what attention looked at.
#pragma once

#include "nn/measures/alignment.h"
#include "nn/measures/alignment_patterns.h"
#include "nn/measures/attention_measures.h"
#include "nn/measures/bleu.h"
#include "nn/measures/perplexity.h"
