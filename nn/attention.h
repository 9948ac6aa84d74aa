// All kinds of attention.
#pragma once

#include "nn/attention/additive_attention.h"
#include "nn/attention/attention_kinds.h"
#include "nn/attention/attention_mechanism.h"
#include "nn/attention/coverage_attention.h"
#include "nn/attention/heatmap.h"
#include "nn/attention/hierarchical_attention.h"
#include "nn/attention/local_attention.h"
#include "nn/attention/multi_head_attention.h"
#include "nn/attention/score_functions.h"
