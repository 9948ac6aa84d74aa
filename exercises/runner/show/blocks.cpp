#include "runner/show/blocks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace learn {
namespace {

using nlohmann::json;

// A long name would leave a narrow column for the rest.
std::string difference_text(const Style& style, const Block& block) {
  const std::string head = fmt::format("  {} {}", style.red("✗"), style.bold(block.name));
  return block.name.size() <= 24 ? wrapped(block.text, style.width, head + "  ")
                                 : head + "\n" + wrapped(block.text, style.width, "      ");
}

// "19_linear_layer.cpp:7:13: error: a ; is missing", the form that editors know.
std::string problem_text(const Style& style, const Block& block) {
  std::string place = fmt::format("{}:{}:", block.place.file, block.place.line);
  if (block.place.column > 0) place += fmt::format("{}:", block.place.column);
  return fmt::format("{} {} {}\n", style.bold(place), style.red(block.name + ":"), block.text);
}

std::string text_of(const Style& style, const Block& block) {
  const auto begins_with = [&](const std::string& mark) { return wrapped(block.text, style.width, mark); };
  switch (block.kind) {
    case Block::Kind::gap: return "\n";
    case Block::Kind::sentence: return begins_with(block.name.empty() ? "  " : "  " + block.name + ": ");
    case Block::Kind::question: return begins_with((block.inside ? "    " : "  ") + style.yellow("? "));
    case Block::Kind::because: return begins_with("    because ");
    case Block::Kind::clue: return begins_with(block.inside ? "      • " : "  • ");
    case Block::Kind::right: return begins_with(fmt::format("  {} {}: ", style.green("✓"), block.name));
    case Block::Kind::different: return difference_text(style, block);
    case Block::Kind::problem: return problem_text(style, block);
    case Block::Kind::mistake: return fmt::format("  {}\n", style.bold(block.text));
    case Block::Kind::numbers: return block.text;
  }
  return "";
}

}  // namespace

NLOHMANN_JSON_SERIALIZE_ENUM(Block::Kind, {{Block::Kind::gap, "gap"},
                                           {Block::Kind::sentence, "sentence"},
                                           {Block::Kind::question, "question"},
                                           {Block::Kind::because, "because"},
                                           {Block::Kind::clue, "clue"},
                                           {Block::Kind::right, "right"},
                                           {Block::Kind::different, "different"},
                                           {Block::Kind::problem, "problem"},
                                           {Block::Kind::mistake, "mistake"},
                                           {Block::Kind::numbers, "numbers"}})

Blocks& operator+=(Blocks& blocks, const Blocks& more) {
  blocks.insert(blocks.end(), more.begin(), more.end());
  return blocks;
}

Blocks sections(const std::vector<Blocks>& parts) {
  Blocks blocks;
  for (const Blocks& part : parts) {
    if (!blocks.empty() && !part.empty()) blocks.push_back({Block::Kind::gap});
    blocks += part;
  }
  return blocks;
}

Blocks lines_block(const std::string& text) {
  return text.empty() ? Blocks{} : Blocks{{Block::Kind::numbers, text}};
}

std::string text_of(const Style& style, const Blocks& blocks) {
  std::string text;
  for (const Block& block : blocks) text += text_of(style, block);
  return text;
}

json to_json(const Blocks& blocks) {
  json written = json::array();
  for (const Block& block : blocks) {
    if (block.kind == Block::Kind::gap) continue;
    written.push_back({{"kind", block.kind}, {"text", block.text}, {"name", block.name}, {"line", block.place.line}});
  }
  return written;
}

}  // namespace learn
