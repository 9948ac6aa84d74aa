// Grades in the formats of others, whatever is in their texts: JSON that can be read, XML that is well-formed, base64
// that says the same.
#include "runner/grading/grade.h"

#include <nlohmann/json.hpp>

#include "runner/grading/formats.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/well_formed.h"

namespace fuzz_grade {

std::string decoded(const std::string& text) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    group = group << 6 | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 0xFF);
  }
  return bytes;
}

bool is_utf8(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

void run(const std::string& input) {
  const std::vector<std::string> parts = fuzz::parts_of(input, 4);
  const std::vector<learn::Grade> grades = {{.id = parts[0],
                                             .title = parts[1],
                                             .file = parts[1],
                                             .outcome = "wrong",
                                             .of = 1.0,
                                             .message = parts[2],
                                             .output = parts[3],
                                             .mistakes = {}},
                                            {.id = "25_linear_layer",
                                             .title = "Linear layer",
                                             .file = "25_linear_layer.cpp",
                                             .outcome = "passed",
                                             .points = 2.0,
                                             .of = 2.0,
                                             .message = "",
                                             .output = "",
                                             .mistakes = {}}};
  for (const std::string& text : {learn::grades_as_json(grades), learn::grades_for_gradescope(grades),
                                  decoded(learn::grades_for_github(grades))}) {
    fuzz::require(nlohmann::json::accept(text), "no JSON: " + text);
  }
  const std::string xml = learn::grades_as_junit(grades);
  const std::string root = xml.substr(xml.find('\n') + 1);  // after <?xml .. ?>
  const std::string problem = fixtures::XmlReader(root).read();
  fuzz::require(problem.empty(), "no XML: " + problem);
  fuzz::require(is_utf8(xml), "XML that is not UTF-8");
  fuzz::require(decoded(learn::base64(input)) == input, "base64 of something else");
}

const fuzz::Target target("grade", run);

}  // namespace fuzz_grade
