#include "nn/translation/ensemble.h"

#include <fmt/core.h>

#include "nn/layers/checks.h"

namespace nn {
namespace {

void check_same_words(const Tensor& first, const Tensor& other, Where where) {
  if (first.size(-1) == other.size(-1)) return;
  autograd::fail(ErrorId::bad_argument, "Ensemble", where,
                 fmt::format("one member knows {} target words, another {}", first.size(-1), other.size(-1)),
                 "give members that were trained with the same vocabulary");
}

// [.., V] of each member -> [.., V]. The formula of logsumexp({0}), which takes several times as long where it has only
// one number of each member to add up.
Tensor log_of_mean_probabilities(const std::vector<Tensor>& logits, Where where) {
  std::vector<Tensor> log_probabilities;
  for (const Tensor& one : logits) {
    check_same_words(logits.front(), one, where);
    log_probabilities.push_back(one.log_softmax(-1));
  }
  const Tensor all = autograd::stack(log_probabilities, 0);  // [M, .., V]
  const Tensor largest = all.amax({0}).clamp(-1e30, 0.0);    // finite where all members say log 0
  return (all - largest).exp().mean({0}).log() + largest;
}

// [.., S] of each member with attention -> [.., S]; undefined for none.
Tensor mean_of(const std::vector<Tensor>& weights) {
  return weights.empty() ? Tensor() : autograd::stack(weights, 0).mean({0});
}

}  // namespace

Ensemble::Ensemble(std::vector<std::unique_ptr<TranslationModel>> members, Where where) : members_(std::move(members)) {
  if (members_.empty()) {
    autograd::fail(ErrorId::bad_argument, "Ensemble", where, "there is no member", "give at least one model");
  }
  for (std::size_t i = 0; i < members_.size(); ++i) register_module(std::to_string(i), *members_[i], where);
}

TranslationModel::Output Ensemble::operator()(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                              const Tensor& tgt_in, const TeacherForcing& teacher_forcing,
                                              Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_range("Ensemble", "teacher_forcing.ratio", teacher_forcing.ratio, 1.0, 1.0, where);
  std::vector<Tensor> logits;
  std::vector<Tensor> weights;
  for (const auto& member : members_) {
    const Output output = (*member)(src, lengths, tgt_in, teacher_forcing);
    logits.push_back(output.logits);
    if (output.weights.defined()) weights.push_back(output.weights);
  }
  return {log_of_mean_probabilities(logits, where), mean_of(weights), Tensor()};
}

DecoderState Ensemble::start(const Tensor& src, const std::vector<std::int64_t>& lengths, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  DecoderState state;
  for (const auto& member : members_) state.members.push_back(member->start(src, lengths));
  return state;
}

TranslationModel::Step Ensemble::step(const Tensor& words, const DecoderState& state, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  DecoderState after;
  std::vector<Tensor> logits;
  std::vector<Tensor> weights;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Step one = members_[i]->step(words, state.members.at(i));
    logits.push_back(one.logits);
    if (one.weights.defined()) weights.push_back(one.weights);
    after.members.push_back(std::move(one.state));
  }
  return {log_of_mean_probabilities(logits, where), mean_of(weights), std::move(after)};
}

}  // namespace nn
