// fuzz_seeds FOLDER: writes the seeds that are not text into FOLDER/TARGET.
#include <autograd/autograd.h>
#include <nn/saving/safetensors.h>

#include <filesystem>
#include <limits>

#include "examples/translate/training/trained_model.h"
#include "tests/fuzz/small_run.h"
#include "tests/support/temporary_folder.h"

namespace {

using autograd::Tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string header(const std::string& text) {
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

void write_safetensors_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  nn::save_safetensors((folder / "none").string(), {});
  nn::save_safetensors((folder / "every_dtype").string(),
                       {{"float32", autograd::tensor({{1.5, -0.0}, {infinity, 1e-40}}, autograd::float32)},
                        {"float64", autograd::tensor({-infinity, 5e-324}, autograd::float64)},
                        {"ids", autograd::ids({9007199254740993, std::numeric_limits<std::int64_t>::min()})},
                        {"mask", autograd::mask({true, false, true})},
                        {"scalar", autograd::tensor(2.0, autograd::float32)},
                        {"empty", autograd::zeros({0, 7}, autograd::float64)},
                        {"ä \"quoted\"", autograd::zeros({1})}},
                       {{"format", "pt"}, {"", "a\nb"}});
  fixtures::write(folder / "halves", header(R"({"h":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},)"
                                            R"("b":{"dtype":"BF16","shape":[1,2],"data_offsets":[4,8]}})") +
                                         std::string("\x01\x7c\xff\x03\xc0\x7f\x80\xff", 8));
  fixtures::write(folder / "boolean_of_two",
                  header(R"({"m":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})") + "\x02");
  fixtures::write(folder / "huge_shape",
                  header(R"({"m":{"dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[0,0]},)"
                         R"("n":{"dtype":"F32","shape":[9223372036854775807,2],"data_offsets":[0,0]}})"));
  fixtures::write(folder / "overlap", header(R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                                             R"("b":{"dtype":"I64","shape":[1],"data_offsets":[4,12]}})") +
                                          std::string(12, 'x'));
  fixtures::write(folder / "nested", header(R"({"a":{"dtype":"F32","shape":[[[[[[]]]]]],"data_offsets":[0,0]}})"));
  fixtures::write(folder / "twice", header(R"({"a":{"dtype":"F32","dtype":"F64","shape":[0],"data_offsets":[0,0]}})"));
  fixtures::write(folder / "numbers", header(R"({"a":{"dtype":"F32","shape":[-1,1e3,1.5],"data_offsets":[-0,0.0]}})"));
  fixtures::write(folder / "too_short", "\x05");
  fixtures::write(folder / "long_header", std::string(7, '\xff') + "\x7f{}");
}

// A run of two updates, of each kind of model.
void write_run_seeds(const std::filesystem::path& corpus) {
  for (const char* kind : {"attention", "vanilla", "transformer"}) {
    const fixtures::TemporaryFolder folder;
    translate::RunOptions options = fuzz::small_run(folder.path());
    options.model.model = kind;
    if (options.model.model == "transformer") options.model.heads = 1;
    translate::train_run(options, &fuzz::small_corpus());
    std::filesystem::create_directories(corpus / "checkpoint");
    fixtures::write(corpus / "checkpoint" / kind, fixtures::content_of(folder / "checkpoint.safetensors"));
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path corpus = count > 1 ? arguments[1] : "tests/fuzz/corpus";
  write_safetensors_seeds(corpus / "safetensors");
  write_run_seeds(corpus);
}
