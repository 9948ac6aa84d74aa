// Ensemble: several models that translate together, recurrent ones and Transformers alike, as long as they know the
// same words. Each word has the mean of the probabilities that the members give it (Sutskever, Vinyals and Le 2014
// translate with five models; fairseq's EnsembleModel computes it in the same way):
//
//   p(y_t | y_<t, x) = 1/M sum_m p_m(y_t | y_<t, x)
//   logits_t = log p = a + log(1/M sum_m exp(log p_m - a)),  a = max_m log p_m
//
//   nn::Ensemble ensemble(std::move(models));  // std::vector<std::unique_ptr<nn::TranslationModel>>
//   ensemble.eval();
//   const auto translations = nn::beam_search(ensemble, src, lengths);
//
// It is not for training: each member learns on its own.
#pragma once

#include <memory>
#include <vector>

#include "nn/translation/translation_model.h"

namespace nn {

class Ensemble : public TranslationModel {
 public:
  // Throws bad-argument without any member.
  explicit Ensemble(std::vector<std::unique_ptr<TranslationModel>> members, Where where = Where::current());

  // The attention's weights are the mean over the members that have any; there is no coverage loss. Throws what the
  // members throw, and bad-argument if their vocabularies differ in size, or for a ratio of teacher forcing below 1:
  // each member would go on with another word.
  Output operator()(const Tensor& src, const std::vector<std::int64_t>& lengths, const Tensor& tgt_in,
                    const TeacherForcing& teacher_forcing = {}, Where where = Where::current()) const override;
  DecoderState start(const Tensor& src, const std::vector<std::int64_t>& lengths,
                     Where where = Where::current()) const override;
  Step step(const Tensor& words, const DecoderState& state, Where where = Where::current()) const override;

 private:
  std::vector<std::unique_ptr<TranslationModel>> members_;
};

}  // namespace nn
