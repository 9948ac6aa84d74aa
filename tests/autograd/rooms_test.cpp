// The rooms of the engine and of nn: what a file includes lies in its own room or in one further down.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace {

// From the ground up. Rooms of one floor know nothing of each other.
using Floors = std::vector<std::vector<std::string>>;
const Floors engine_floors = {{"memory", "kernels", "text"},
                              {"tensor"},
                              {"index", "pictures"},
                              {"tape"},
                              {"ops"},
                              {"composites"},
                              {"gradcheck"},
                              {"debug"},
                              {"webassembly"}};
const Floors nn_floors = {{"saving"}, {"layers"}, {"optim", "attention", "measures"}, {"translation"}};

const Floors& floors_of(const std::string& library) {
  return library == "nn" ? nn_floors : engine_floors;
}

// The index of all ops is declarations on tensors. The tape needs a few of them: to add gradients, and to sum them.
std::string room_of(const std::string& path) {
  if (path == "ops/ops.h") return "index";
  return path.substr(0, path.find('/'));
}

int floor_of(const Floors& floors, const std::string& room) {
  const auto has_room = [&](const std::vector<std::string>& floor) {
    return std::find(floor.begin(), floor.end(), room) != floor.end();
  };
  return static_cast<int>(std::find_if(floors.begin(), floors.end(), has_room) - floors.begin());
}

// "tape/pass.cpp includes ops/op.h" for each arrow that does not go down.
std::vector<std::string> wrong_arrows(const std::string& library, const std::string& file, const std::string& text) {
  const std::string include = "#include [\"<]" + library + "/([a-z_]+/[a-z_0-9/]+\\.(?:h|cpp))[\">]";
  const Floors& floors = floors_of(library);
  const std::string room = room_of(file);
  std::vector<std::string> wrong;
  for (const std::string& included : fixtures::matches(text, include)) {
    const std::string other = room_of(included);
    if (room != other && floor_of(floors, other) >= floor_of(floors, room)) {
      wrong.push_back(fmt::format("{} includes {}", file, included));
    }
  }
  return wrong;
}

// Files that lie in no room, such as nn.h, are not looked at. Returns how many are.
int expect_arrows_go_down(const std::string& library) {
  const std::filesystem::path folder = std::filesystem::path(BACKSTEP_SOURCE) / library;
  const Floors& floors = floors_of(library);
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    const std::string file = std::filesystem::relative(entry.path(), folder);
    if ((extension != ".h" && extension != ".cpp") || file.find('/') == std::string::npos) continue;
    ++files;
    EXPECT_LT(floor_of(floors, room_of(file)), floors.size()) << file << " is in a room that nobody knows";
    const std::string text = fixtures::content_of(entry.path());
    EXPECT_EQ(wrong_arrows(library, file, text), std::vector<std::string>()) << file;
  }
  return files;
}

TEST(Rooms, ArrowsGoDown) {
  EXPECT_GT(expect_arrows_go_down("autograd"), 100);
  EXPECT_GT(expect_arrows_go_down("nn"), 100);
}

// What nn uses of the engine is public: nothing of it is said to be "for the engine itself".
TEST(Rooms, NnUsesThePublicFaceOfTheEngine) {
  const std::string private_use =
      "TensorImpl|impl\\(\\)|tensor_impl\\.h|#include [<\"]autograd/(?:memory|kernels|ops|composites)/";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BACKSTEP_SOURCE "/nn")) {
    if (!entry.is_regular_file()) continue;
    const std::string text = fixtures::content_of(entry.path());
    EXPECT_TRUE(fixtures::matches(text, private_use).empty()) << entry.path();
  }
}

// The rooms that a file lists, from the top down, one floor or more in a line: `line` finds a line's names, `name`
// each.
void lists_all_rooms(const char* file, const char* line, const char* name) {
  const std::string text = fixtures::content_of(std::string(BACKSTEP_SOURCE) + file);
  std::size_t rooms = 0;
  std::size_t last = engine_floors.size();
  for (const std::string& names : fixtures::matches(text, line)) {
    for (const std::string& room : fixtures::matches(names, name)) {
      const auto floor = static_cast<std::size_t>(floor_of(engine_floors, room));
      EXPECT_LT(floor, engine_floors.size()) << room << " in " << file;
      EXPECT_LE(floor, last) << room << " in " << file << " stands below one that it includes";
      last = floor;
      ++rooms;
    }
  }
  std::size_t all = 0;
  for (const std::vector<std::string>& floor : engine_floors) all += floor.size();
  EXPECT_EQ(rooms, all - 1) << file;  // all but the index
}

TEST(Rooms, AreListedAsTheyAre) {
  lists_all_rooms("/docs/19-the-engine.md", "\n\\| ((?:`[a-z]+/`(?:, )?)+) \\|", "`([a-z]+)/`");
  lists_all_rooms("/autograd/CMakeLists.txt", "\n#   ((?:[a-z]+,? )+) ", "([a-z]+)");
}

TEST(Rooms, AnArrowUpIsSeen) {
  EXPECT_EQ(wrong_arrows("autograd", "tape/pass.cpp", "#include \"autograd/ops/op.h\"\n").size(), 1u);
  EXPECT_EQ(wrong_arrows("autograd", "tape/pass.cpp",
                         "#include \"autograd/ops/ops.h\"\n#include \"autograd/tensor/tensor.h\"\n")
                .size(),
            0u);
  EXPECT_EQ(wrong_arrows("autograd", "ops/ops.h", "#include <autograd/tape/node.h>\n").size(), 1u);
  EXPECT_EQ(wrong_arrows("autograd", "kernels/gemm.cpp", "#include \"autograd/memory/recycler.h\"\n").size(), 1u);
  EXPECT_EQ(wrong_arrows("nn", "saving/state_dict.h", "#include \"nn/layers/checks.h\"\n").size(), 1u);
  EXPECT_EQ(wrong_arrows("nn", "optim/sgd.cpp", "#include \"nn/measures/bleu.h\"\n").size(), 1u);
}

}  // namespace
