// Is a text well-formed XML? As much of the rules as pictures need: every tag closed in its order, attributes in quotes
// and named once, no stray < or &, no control characters. No declarations, comments or CDATA.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fixtures {

// Reads on from where it stands; `problem` is the first one that it met.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  std::string read() {
    while (!rest_.empty() && problem_.empty()) {
      if (rest_.front() == '<') {
        read_tag();
      } else {
        read_text();
      }
    }
    if (problem_.empty() && !open_.empty()) problem_ = "<" + open_.back() + "> is not closed";
    return problem_;
  }

 private:
  void read_text() {
    check_text(rest_.substr(0, rest_.find('<')));
    if (open_.empty() && rest_.substr(0, rest_.find('<')).find_first_not_of(" \n") != std::string_view::npos) {
      problem_ = "text outside of the root";
    }
    rest_.remove_prefix(std::min(rest_.find('<'), rest_.size()));
  }

  void check_text(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const unsigned char c = static_cast<unsigned char>(text[i]);
      if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') problem_ = "a control character";
      if (c == '<') problem_ = "< in an attribute";
      if (c == '&' && !is_entity(text.substr(i))) problem_ = "a stray & in " + std::string(text.substr(i, 10));
    }
  }

  static bool is_entity(std::string_view text) {
    for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
      if (text.starts_with(entity)) return true;
    }
    return false;
  }

  void read_tag() {
    rest_.remove_prefix(1);
    const bool closes = rest_.starts_with('/');
    if (closes) rest_.remove_prefix(1);
    const std::string name = read_name();
    if (name.empty()) problem_ = "< without a name";
    if (closes) {
      if (open_.empty() || open_.back() != name) problem_ = "</" + name + "> closes what is not open";
      if (!open_.empty()) open_.pop_back();
    } else {
      open_.push_back(name);
      read_attributes();
      if (rest_.starts_with('/')) {
        rest_.remove_prefix(1);
        open_.pop_back();
      }
    }
    if (!rest_.starts_with('>')) problem_ = "<" + name + " has no >";
    if (!rest_.empty()) rest_.remove_prefix(1);
  }

  void read_attributes() {
    std::set<std::string> seen;
    while (problem_.empty()) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
      const std::string name = read_name();
      if (name.empty()) return;
      if (!seen.insert(name).second) problem_ = "attribute " + name + " twice";
      if (!rest_.starts_with("=\"") || rest_.find('"', 2) == std::string_view::npos) {
        problem_ = "attribute " + name + " is not in quotes";
        return;
      }
      const std::size_t end = rest_.find('"', 2);
      check_text(rest_.substr(2, end - 2));
      rest_.remove_prefix(end + 1);
    }
  }

  std::string read_name() {
    std::string name;
    while (!rest_.empty() && (std::isalnum(static_cast<unsigned char>(rest_.front())) || rest_.front() == '-')) {
      name += rest_.front();
      rest_.remove_prefix(1);
    }
    return name;
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::string problem_;
};

// Empty if the text is well-formed, else what is wrong.
inline std::string xml_problem(std::string_view text) {
  return XmlReader(text).read();
}

// How often it occurs.
inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace fixtures
