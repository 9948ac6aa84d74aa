#include "autograd/debug/assignments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace autograd::debug {
namespace {

// ---- tokens ---------------------------------------------------------------------------------------------------------

struct Token {
  std::string text;
  int line = 0;
};

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_word(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& lines) : lines_(lines) {}

  std::vector<Token> read() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      at_ = 0;
      if (!is_directive()) read_line();
    }
    return std::move(tokens_);
  }

 private:
  const std::string& text() const { return lines_[line_]; }
  bool starts(std::string_view wanted) const { return text().compare(at_, wanted.size(), wanted) == 0; }
  void add(std::string token) { tokens_.push_back({std::move(token), static_cast<int>(line_) + 1}); }

  bool is_directive() {
    const std::size_t first = text().find_first_not_of(" \t");
    if (first == std::string::npos || text()[first] != '#') return false;
    while (text().ends_with('\\') && line_ + 1 < lines_.size()) ++line_;
    return true;
  }

  void read_line() {
    while (at_ < text().size()) {
      const char c = text()[at_];
      if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (starts("//")) {
        return;
      } else if (starts("/*")) {
        skip_to("*/", 2);
      } else if (starts("R\"")) {
        add("\"");
        const std::size_t open = text().find('(', at_);
        if (open == std::string::npos) return;
        skip_to(")" + text().substr(at_ + 2, open - at_ - 2) + "\"", open + 1 - at_);
      } else if (c == '"' || c == '\'') {
        read_quoted(c);
      } else if (is_letter(c)) {
        read_word();
      } else {
        read_sign();
      }
    }
  }

  // It may be on another line.
  void skip_to(const std::string& end, std::size_t from) {
    at_ += from;
    for (std::size_t place = text().find(end, at_); place == std::string::npos; place = text().find(end)) {
      at_ = text().size();
      if (line_ + 1 >= lines_.size()) return;
      ++line_;
    }
    at_ = text().find(end, at_ < text().size() ? at_ : 0) + end.size();
  }

  void read_quoted(char quote) {
    add("\"");
    for (++at_; at_ < text().size() && text()[at_] != quote; ++at_) at_ += text()[at_] == '\\';
    ++at_;
  }

  // A number, too: 1.5e-3f, 1'000.
  void read_word() {
    const std::size_t begin = at_;
    const bool is_number = std::isdigit(static_cast<unsigned char>(text()[at_])) != 0;
    const auto belongs = [&](std::size_t i) {
      const char c = text()[i];
      return is_letter(c) || (is_number && (c == '.' || c == '\'' || ((c == '-' || c == '+') && text()[i - 1] == 'e')));
    };
    while (at_ < text().size() && belongs(at_)) ++at_;
    add(text().substr(begin, at_ - begin));
  }

  void read_sign() {
    static constexpr std::array<std::string_view, 18> signs = {"::", "->", "==", "<=", ">=", "!=", "&&", "||", "<<",
                                                               "+=", "-=", "*=", "/=", "|=", "&=", "++", "--", "^="};
    for (const std::string_view sign : signs) {
      if (!starts(sign)) continue;
      add(std::string(sign));
      at_ += sign.size();
      return;
    }
    add(text().substr(at_++, 1));
  }

  const std::vector<std::string>& lines_;
  std::vector<Token> tokens_;
  std::size_t line_ = 0, at_ = 0;
};

// ---- statements -----------------------------------------------------------------------------------------------------

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// A word after which a name is no declaration.
bool is_in_expressions(std::string_view word) {
  return is_one_of(word, {"return", "else", "do", "case", "throw", "new", "delete", "co_return", "co_yield", "goto",
                          "typename", "class", "using", "operator"});
}

class Finder {
 public:
  explicit Finder(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Assignments find(std::size_t lines) {
    match_brackets();
    collect_declared();
    open_.push_back({'{', 0});
    for (std::size_t i = 0; i < tokens_.size(); ++i) read(i);
    paint(lines);
    return std::move(found_);
  }

 private:
  struct Open {
    char kind = '{';        // '{' of a block; '(' of anything else
    std::size_t begin = 0;  // of a block: where its statement of now begins
  };
  struct Range {
    std::size_t begin = 0, end = 0;
  };

  const std::string& text(std::size_t i) const { return tokens_[i].text; }
  std::string_view before(std::size_t i) const { return i == 0 ? std::string_view() : std::string_view(text(i - 1)); }

  void match_brackets() {
    partner_.assign(tokens_.size(), tokens_.size());
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_one_of(text(i), {"(", "[", "{"})) waiting.push_back(i);
      if (!is_one_of(text(i), {")", "]", "}"}) || waiting.empty()) continue;
      partner_[i] = waiting.back();
      partner_[waiting.back()] = i;
      waiting.pop_back();
    }
  }

  // After a type: Tensor f(.., Output Attention::look(.., nn::Linear layer(..
  void collect_declared() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!is_word(text(i))) continue;
      std::size_t first = i;
      while (first > 1 && before(first) == "::" && is_word(text(first - 2))) first -= 2;
      const std::string_view type = before(first);
      const bool is_call = i + 1 < tokens_.size() && text(i + 1) == "(";
      const bool after_type = (is_word(type) && !is_in_expressions(type)) || (is_call && type == ">");
      if (after_type) found_.declared.insert(text(i));
    }
  }

  // A block, or numbers in braces?
  bool is_block(std::size_t brace) const {
    const std::string_view last = before(brace);
    if (last.empty() || is_one_of(last, {")", "]", ";", "}", "\"", ":", "else", "do", "try", "const", "noexcept",
                                         "override", "mutable"})) {
      return true;
    }
    if (last == "{") return open_.back().kind == '{';
    if (!is_word(last) && last != ">") return false;
    std::size_t at = brace - 1;  // the type that a lambda returns
    while (at > 0 && (is_word(text(at)) || is_one_of(text(at), {"::", "<", ">", "&", "*", ","}))) --at;
    if (text(at) == "->") return true;
    for (std::size_t i = open_.back().begin; open_.back().kind == '{' && i < brace; ++i) {
      if (is_one_of(text(i), {"struct", "class", "namespace", "enum", "union", "extern"})) return true;
      if (is_one_of(text(i), {"=", "("})) return false;
    }
    return false;
  }

  void read(std::size_t i) {
    const std::string& token = text(i);
    if (token == "(" || token == "[") {
      open_.push_back({'(', i});
    } else if (token == "{") {
      open_.push_back(is_block(i) ? Open{'{', i + 1} : Open{'(', i});
    } else if (is_one_of(token, {")", "]", "}"})) {
      if (open_.size() < 2) return;
      const bool was_block = open_.back().kind == '{';
      open_.pop_back();
      const bool is_value = was_block && assigned_from(open_.back().begin, i);  // auto f = [] { .. };
      if (was_block && open_.back().kind == '{' && !is_value) open_.back().begin = i + 1;
    } else if (token == ";" && open_.back().kind == '{') {
      add({open_.back().begin, i});
      open_.back().begin = i + 1;
    }
  }

  // Calls visit(i) for the tokens that stand in no brackets of their own.
  template <class Visit> void outside_of_brackets(Range range, const Visit& visit) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      visit(i);
      if (is_one_of(text(i), {"(", "[", "{"})) i = std::min(partner_[i], range.end);
    }
  }

  std::size_t place_of(Range range, std::string_view token) const {
    std::size_t place = range.end;
    outside_of_brackets(range, [&](std::size_t i) {
      if (place == range.end && text(i) == token) place = i;
    });
    return place;
  }

  bool assigned_from(std::size_t begin, std::size_t end) const { return place_of({begin, end}, "=") < end; }

  // What `for (..)`, `else` and the like stand before; nothing where the condition may run ops.
  std::optional<Range> without_control(Range range) const {
    while (range.begin < range.end) {
      const std::string& first = text(range.begin);
      if (is_one_of(first, {"else", "do", "constexpr"})) {
        ++range.begin;
      } else if (is_one_of(first, {"public", "private", "protected", "default"})) {
        range.begin += 2;
      } else if (is_one_of(first, {"for", "if", "while", "switch"})) {
        std::size_t open = range.begin + 1;
        if (text(open) == "constexpr") ++open;
        const std::size_t close = partner_[open];
        if (text(open) != "(" || close >= range.end) return {};
        const bool runs = place_of({open + 1, close}, "(") < close;
        if (runs && first != "for") return {};
        range.begin = close + 1;
      } else {
        break;
      }
    }
    return range;
  }

  void add(Range range) {
    const std::optional<Range> own = without_control(range);
    const Range lines = own && own->begin < own->end ? *own : range;
    if (lines.begin >= lines.end) return;
    Statement made;
    made.first_line = tokens_[lines.begin].line;
    made.last_line = tokens_[lines.end].line;
    if (own && own->begin < own->end) describe(made, *own);
    found_.statements.push_back(std::move(made));
    ranges_.push_back(lines);
  }

  void describe(Statement& made, Range range) const {
    const std::size_t equals = place_of(range, "=");
    if (equals == range.end) {
      const bool is_call_of = range.end - range.begin > 3 && is_word(text(range.begin)) && text(range.begin + 1) == ".";
      if (is_call_of && text(range.end - 1) == ")") made.object = text(range.begin);
      return;
    }
    const Range value{equals + 1, range.end};
    const bool is_list = place_of(value, ",") < value.end;  // Tensor a = x, b = y
    if (is_list || value.begin >= value.end || !describe_value(made, value)) return;
    made.names = names_of({range.begin, equals});
    for (std::size_t i = value.begin; i < value.end && !made.names.empty(); ++i) {
      const std::string own = made.names[0].substr(0, made.names[0].find('.'));
      if (text(i) == own && !is_one_of(before(i), {".", "->", "::"})) made.reads_own = true;
    }
  }

  std::vector<std::string> names_of(Range range) const {
    if (range.begin >= range.end) return {};
    std::size_t last = range.end - 1;
    std::vector<std::string> names;
    if (text(last) == "]" && partner_[last] > range.begin) {
      if (!is_one_of(before(partner_[last]), {"auto", "&", "&&"})) return {};
      for (std::size_t i = partner_[last] + 1; i < last; ++i) {
        if (is_word(text(i))) names.push_back(text(i));
      }
      return names;
    }
    if (!is_word(text(last))) return {};
    std::string name = text(last);
    while (last >= range.begin + 2 && is_one_of(text(last - 1), {".", "->"})) {
      last -= 2;
      if (!is_word(text(last))) return {};
      if (text(last) != "this") name = text(last) + "." + name;
    }
    return {name};
  }

  // False if no op can have made it.
  bool describe_value(Statement& made, Range value) const {
    bool has_operator = false;
    outside_of_brackets(value, [&](std::size_t i) {
      has_operator |= is_one_of(text(i), {"+", "-", "*", "/", "%", "?", "<", ">", "<=", ">=", "==", "!=", "&&", "||",
                                          "&", "|", "!", "^", "<<"});
    });
    for (std::size_t i = value.begin; i < value.end; ++i) {
      const bool is_call =
          text(i) == "(" && i > value.begin && is_word(before(i)) && !found_.declared.contains(std::string(before(i)));
      made.operations += is_call || is_one_of(text(i), {"+", "-", "*", "/"});
    }
    const std::size_t last = value.end - 1;
    if (has_operator || text(last) == "]") return true;
    if (text(last) != ")" || partner_[last] <= value.begin) return text(last) == ")";
    const std::string_view called = before(partner_[last]);
    if (called == "]" || called == ">" || called == ")") return false;
    made.call = called;
    return true;
  }

  // The smaller ranges last. One that meets another without lying in it shares a line with it.
  void paint(std::size_t lines) {
    found_.of_line.assign(lines, -1);
    std::vector<std::size_t> order(ranges_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto size_of = [&](std::size_t i) { return ranges_[i].end - ranges_[i].begin; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size_of(a) > size_of(b); });
    std::vector<int> shown(lines, -1);
    for (const std::size_t i : order) {
      for (int line = found_.statements[i].first_line; line <= found_.statements[i].last_line; ++line) {
        const auto at = static_cast<std::size_t>(line) - 1;
        const int around = std::exchange(shown[at], static_cast<int>(i));
        const bool is_alone = around < 0 || (ranges_[static_cast<std::size_t>(around)].begin <= ranges_[i].begin &&
                                             ranges_[i].end <= ranges_[static_cast<std::size_t>(around)].end);
        found_.of_line[at] = is_alone ? static_cast<int>(i) : -1;
      }
    }
  }

  std::vector<Token> tokens_;
  std::vector<std::size_t> partner_;  // of each bracket
  std::vector<Open> open_;
  std::vector<Range> ranges_;  // of each statement
  Assignments found_;
};

}  // namespace

const Statement* Assignments::at(int line) const {
  const auto place = static_cast<std::size_t>(line) - 1;
  const bool is_known = line > 0 && place < of_line.size() && of_line[place] >= 0;
  return is_known ? &statements[static_cast<std::size_t>(of_line[place])] : nullptr;
}

Assignments assignments_in(const std::vector<std::string>& lines) {
  return Finder(Reader(lines).read()).find(lines.size());
}

}  // namespace autograd::debug
