// make_attention(): makes any kind of attention by its name, for programs that let their user choose.
//
//   auto attention = nn::make_attention("general", {.decoder_dim = 256, .encoder_dim = 512});
//
//   additive                                     additive_attention.h
//   concat, dot, scaled_dot, general             score_functions.h
//   local_monotonic, local_predictive            local_attention.h
//   coverage                                     coverage_attention.h
//   hierarchical                                 hierarchical_attention.h
//   multi_head                                   multi_head_attention.h; 8, 4, 2 or 1 heads, the first that divides
//   encoder_dim
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention/attention_mechanism.h"

namespace nn {

// The names above, in this order.
const std::vector<std::string>& attention_kinds();

// With the defaults of the kind's own options; dot and scaled_dot project their keys if decoder_dim and encoder_dim
// differ. Throws bad-argument, which lists the kinds, for another name.
std::unique_ptr<AttentionMechanism> make_attention(const std::string& kind, const AttentionOptions& options,
                                                   Where where = Where::current());

}  // namespace nn
