// The rooms of the engine: what a file includes lies in its own room or in one further down.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

// From the ground up. Rooms of one floor know nothing of each other.
const std::vector<std::vector<std::string>> floors = {{"memory", "kernels", "text"},
                                                      {"tensor"},
                                                      {"index", "pictures"},
                                                      {"tape"},
                                                      {"ops"},
                                                      {"gradcheck"},
                                                      {"debug"},
                                                      {"webassembly"}};

// The index of all ops is declarations on tensors. The tape needs a few of them: to add gradients, and to sum them.
std::string room_of(const std::string& path) {
  if (path == "ops/ops.h") return "index";
  return path.substr(0, path.find('/'));
}

int floor_of(const std::string& room) {
  const auto has_room = [&](const std::vector<std::string>& floor) {
    return std::find(floor.begin(), floor.end(), room) != floor.end();
  };
  return static_cast<int>(std::find_if(floors.begin(), floors.end(), has_room) - floors.begin());
}

// "tape/pass.cpp includes ops/op.h" for each arrow that does not go down.
std::vector<std::string> wrong_arrows(const std::string& file, const std::string& text) {
  static const std::regex include("#include \"autograd/([a-z_]+/[a-z_/]+\\.(?:h|cpp))\"");
  const std::string room = room_of(file);
  std::vector<std::string> wrong;
  for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
    const std::string included = (*at)[1];
    const std::string other = room_of(included);
    // The one arrow up: freeing a tensor lets go of the op that made it, which is counted.
    const bool is_owner = file == "tensor/tensor_impl.cpp" && included == "tape/node.h";
    if (room != other && floor_of(other) >= floor_of(room) && !is_owner) {
      wrong.push_back(fmt::format("{} includes {}", file, included));
    }
  }
  return wrong;
}

TEST(Rooms, ArrowsGoDown) {
  const std::filesystem::path engine = std::filesystem::path(BACKSTEP_SOURCE) / "autograd";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(engine)) {
    const std::string extension = entry.path().extension();
    const std::string file = std::filesystem::relative(entry.path(), engine);
    if ((extension != ".h" && extension != ".cpp") || file.find('/') == std::string::npos) continue;
    ++files;
    EXPECT_LT(floor_of(room_of(file)), floors.size()) << file << " is in a room that nobody knows";
    std::ifstream stream(entry.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(wrong_arrows(file, text), std::vector<std::string>()) << file;
  }
  EXPECT_GT(files, 100);
}

TEST(Rooms, AnArrowUpIsSeen) {
  EXPECT_EQ(wrong_arrows("tape/pass.cpp", "#include \"autograd/ops/op.h\"\n").size(), 1u);
  EXPECT_EQ(
      wrong_arrows("tape/pass.cpp", "#include \"autograd/ops/ops.h\"\n#include \"autograd/tensor/tensor.h\"\n").size(),
      0u);
  EXPECT_EQ(wrong_arrows("ops/ops.h", "#include \"autograd/tape/node.h\"\n").size(), 1u);
  EXPECT_EQ(wrong_arrows("kernels/gemm.cpp", "#include \"autograd/memory/recycler.h\"\n").size(), 1u);
}

}  // namespace
