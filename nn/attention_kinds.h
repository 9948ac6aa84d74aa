// Every kind of attention by its name, for programs that let their user choose.
//
//   auto attention = nn::make_attention("general", {.decoder_dim = 256, .encoder_dim = 512});
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention_mechanism.h"

namespace nn {

// "additive", "concat", "dot", "scaled_dot", "general", "local_monotonic", "local_predictive", "coverage",
// "hierarchical", "multi_head".
const std::vector<std::string>& attention_kinds();

// With the defaults of the kind's own options. Throws bad-argument, which lists the kinds, for another name.
std::unique_ptr<AttentionMechanism> make_attention(const std::string& kind, const AttentionOptions& options,
                                                   Where where = Where::current());

}  // namespace nn
