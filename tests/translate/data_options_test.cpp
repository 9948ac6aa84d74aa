#include <gtest/gtest.h>
#include <nn/saving/checkpoint.h>

#include <algorithm>

#include "examples/translate/data/artificial_words.h"
#include "examples/translate/data/corpus.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/trained_model.h"
#include "examples/translate/training/training_run.h"
#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"

namespace translate_data_options_test {

using autograd::ErrorId;
using translate::Corpus;
using translate::DataOptions;
using translate::IfRunExists;
using translate::RunOptions;

const DataOptions small = {.pairs = 30, .clauses = 1};

DataOptions without_agreement() {
  DataOptions options = small;
  options.no_agreement = true;
  return options;
}

TEST(DataOptions, WithoutAgreementArticlesHaveOneForm) {
  const Corpus with = load_corpus(small);
  const Corpus without = load_corpus(without_agreement());
  bool has_other_form = false;
  for (std::size_t i = 0; i < with.tests[0].pairs.size(); ++i) {
    EXPECT_EQ(with.tests[0].pairs[i].source, without.tests[0].pairs[i].source);
    const translate::Words& target = without.tests[0].pairs[i].target;
    for (const translate::ArticlePair& article : translate::articles) {
      for (const int gender : {1, 2}) {
        EXPECT_EQ(std::find(target.begin(), target.end(), article.target[gender]), target.end());
      }
    }
    has_other_form = has_other_form || with.tests[0].pairs[i].target != target;
  }
  EXPECT_TRUE(has_other_form);
  EXPECT_NE(fingerprint_of(with), fingerprint_of(without));
}

RunOptions tiny_run(const std::filesystem::path& folder, const DataOptions& data, IfRunExists if_exists) {
  return {.folder = folder,
          .model = {.dim = 4},
          .data = data,
          .training = {.epochs = 1, .steps = 2, .batch = 8},
          .if_exists = if_exists,
          .progress = nullptr};
}

TEST(DataOptions, ARunGoesOnWithItsOwnAgreement) {
  const fixtures::TemporaryFolder folder;
  train_run(tiny_run(folder.path(), without_agreement(), IfRunExists::refuse));
  RunOptions same = tiny_run(folder.path(), without_agreement(), IfRunExists::resume);
  same.training.steps = 3;
  EXPECT_EQ(train_run(same).position.step, 3);
  fixtures::message_of(ErrorId::bad_argument, [&] { train_run(tiny_run(folder.path(), small, IfRunExists::resume)); });
  const translate::TrainedModel model = translate::load_model(translate::model_file_of(folder.path()));
  EXPECT_TRUE(model.data.no_agreement);
}

// A run from before the option existed.
TEST(DataOptions, ARunThatKnowsNothingOfItHadAgreement) {
  const fixtures::TemporaryFolder folder;
  train_run(tiny_run(folder.path(), small, IfRunExists::refuse));
  const std::string path = translate::RunFolder{folder.path()}.checkpoint();
  nn::Checkpoint checkpoint = nn::load_checkpoint(path, "checkpoint of a training");
  translate::Json options = translate::Json::parse(checkpoint.texts.at("options"));
  EXPECT_EQ(options.erase("no-agreement"), 1U);
  checkpoint.texts["options"] = options.dump();
  nn::save_checkpoint(path, "checkpoint of a training", checkpoint);
  fixtures::message_of(ErrorId::bad_file,
                       [&] { train_run(tiny_run(folder.path(), without_agreement(), IfRunExists::resume)); });
  RunOptions same = tiny_run(folder.path(), small, IfRunExists::resume);
  same.training.steps = 3;
  EXPECT_EQ(train_run(same).position.step, 3);
  for (const char* wrong : {"", "3", "{\"dim\":[]}", "{\"dim\":\"x\"}", "{\"lr\":null}", "{\"dim\":-1}"}) {
    checkpoint.texts["options"] = wrong;
    nn::save_checkpoint(path, "checkpoint of a training", checkpoint);
    RunOptions resumed = tiny_run(folder.path(), small, IfRunExists::resume);
    resumed.given.emplace();
    EXPECT_THROW(train_run(resumed), autograd::Error) << wrong;
  }
}

}  // namespace translate_data_options_test
