// A verdict and steps as JSON, as the judges write them and the runner and the page read them. What is neither throws
// nlohmann::json::exception.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "judge/step.h"
#include "judge/verdict.h"

// null where there is none.
template <class T> struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& written, const std::optional<T>& value) { written = value ? json(*value) : json(nullptr); }
  static void from_json(const json& read, std::optional<T>& value) {
    value = read.is_null() ? std::nullopt : std::optional<T>(read.get<T>());
  }
};

namespace judge {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Axis, name, size)
NLOHMANN_JSON_SERIALIZE_ENUM(Numbers, {{Numbers::usual, "usual"},
                                       {Numbers::zeros_and_ties, "zeros and ties"},
                                       {Numbers::positive, "positive"},
                                       {Numbers::negative, "negative"},
                                       {Numbers::far_apart, "far apart"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Setting, sizes, seed, numbers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FactorSource, axes, is_quotient)

NLOHMANN_JSON_SERIALIZE_ENUM(Clue::Kind, {{Clue::Kind::nan, "NaN"},
                                          {Clue::Kind::infinity, "infinity"},
                                          {Clue::Kind::nearly_right, "nearly right"},
                                          {Clue::Kind::zero, "zero"},
                                          {Clue::Kind::zero_up_to_rounding, "zero up to rounding"},
                                          {Clue::Kind::not_zero, "not zero"},
                                          {Clue::Kind::factor, "factor"},
                                          {Clue::Kind::transposed, "transposed"},
                                          {Clue::Kind::wrong_only_in, "wrong only in"},
                                          {Clue::Kind::right_in, "right in"},
                                          {Clue::Kind::another, "another"},
                                          {Clue::Kind::factor_missing, "factor missing"},
                                          {Clue::Kind::factor_too_many, "factor too many"},
                                          {Clue::Kind::term_missing, "term missing"},
                                          {Clue::Kind::term_too_many, "term too many"},
                                          {Clue::Kind::at_wrong_places, "at wrong places"},
                                          {Clue::Kind::one_number, "one number"},
                                          {Clue::Kind::same_along, "same along"},
                                          {Clue::Kind::right_and_wrong_along, "right and wrong along"},
                                          {Clue::Kind::sum_is_right, "sum is right"},
                                          {Clue::Kind::mean_is_right, "mean is right"},
                                          {Clue::Kind::too_many_along, "too many along"},
                                          {Clue::Kind::too_few_along, "too few along"},
                                          {Clue::Kind::only_shape, "only shape"},
                                          {Clue::Kind::transposed_is_right, "transposed is right"},
                                          {Clue::Kind::exchanged_is_right, "exchanged is right"},
                                          {Clue::Kind::two_decimals, "two decimals"},
                                          {Clue::Kind::cut_off, "cut off"},
                                          {Clue::Kind::third_decimal, "third decimal"},
                                          {Clue::Kind::not_right, "not right"}})

// JSON has no NaN and no infinity: they go as text. So does what may be too large for an integer, which a reader would
// otherwise have to tell from an integer that somebody has damaged.
constexpr double too_large = 0x1p31;
inline nlohmann::json written_number(double value) {
  return std::abs(value) < too_large ? nlohmann::json(value) : nlohmann::json(fmt::format("{}", value));
}

inline double read_number(const nlohmann::json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : value.get<double>();
}

inline void to_json(nlohmann::json& written, const Clue& clue) {
  written = {{"kind", clue.kind},
             {"name", clue.name},
             {"number", written_number(clue.number)},
             {"positions", clue.positions},
             {"right_positions", clue.right_positions},
             {"sources", clue.sources},
             {"everywhere", clue.everywhere},
             {"at_the_beginning", clue.at_the_beginning},
             {"is_expected", clue.is_expected}};
}

inline void from_json(const nlohmann::json& read, Clue& clue) {
  read.at("kind").get_to(clue.kind);
  read.at("name").get_to(clue.name);
  clue.number = read_number(read.at("number"));
  read.at("positions").get_to(clue.positions);
  read.at("right_positions").get_to(clue.right_positions);
  read.at("sources").get_to(clue.sources);
  read.at("everywhere").get_to(clue.everywhere);
  read.at("at_the_beginning").get_to(clue.at_the_beginning);
  read.at("is_expected").get_to(clue.is_expected);
}

inline void to_json(nlohmann::json& written, const Difference::Entry& entry) {
  written = {{"index", entry.index},
             {"yours", written_number(entry.yours)},
             {"expected", written_number(entry.expected)},
             {"numeric", entry.numeric ? written_number(*entry.numeric) : nullptr}};
}

inline void from_json(const nlohmann::json& read, Difference::Entry& entry) {
  read.at("index").get_to(entry.index);
  entry.yours = read_number(read.at("yours"));
  entry.expected = read_number(read.at("expected"));
  if (!read.at("numeric").is_null()) entry.numeric = read_number(read.at("numeric"));
}

NLOHMANN_JSON_SERIALIZE_ENUM(Difference::Kind, {{Difference::Kind::numbers, "numbers"},
                                                {Difference::Kind::hidden_numbers, "hidden numbers"},
                                                {Difference::Kind::undefined, "undefined"},
                                                {Difference::Kind::defined, "defined"},
                                                {Difference::Kind::shape, "shape"},
                                                {Difference::Kind::dtype, "dtype"},
                                                {Difference::Kind::text, "text"},
                                                {Difference::Kind::property, "property"},
                                                {Difference::Kind::bound, "bound"},
                                                {Difference::Kind::changed_input, "changed input"},
                                                {Difference::Kind::forbidden_call, "forbidden call"},
                                                {Difference::Kind::something_else, "something else"},
                                                {Difference::Kind::missing, "missing"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NamedShape, sizes, axes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Difference, name, kind, wrong, total, your_shape, expected_shape, yours, expected,
                                   said, clues, entries)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Shrunk, axis, size, right_at_one, wrong_from)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FirstProbe, difference, after, times_right)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartlyNamed, mistakes, explains)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SmallestCase, sizes, differences)
NLOHMANN_JSON_SERIALIZE_ENUM(Verdict::Outcome, {{Verdict::Outcome::wrong, "wrong"},
                                                {Verdict::Outcome::passed, "passed"},
                                                {Verdict::Outcome::unwritten, "unwritten"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Thrown, id, message, advice, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Verdict, setting, usual, outcome, message, thrown, stopped_before, right,
                                   differences, first_probe, shown, right_probes, named, named_by_numbers, partly_named,
                                   shrunk, smallest, repeatable, depends_on_numbers, right_when_first)

NLOHMANN_JSON_SERIALIZE_ENUM(Step::Kind, {{Step::Kind::op, "op"},
                                          {Step::Kind::probe, "probe"},
                                          {Step::Kind::threw, "threw"},
                                          {Step::Kind::result, "result"}})
NLOHMANN_JSON_SERIALIZE_ENUM(NotFinite, {{NotFinite::none, "none"},
                                         {NotFinite::infinity, "infinity"},
                                         {NotFinite::nan, "NaN"},
                                         {NotFinite::nan_handed_on, "NaN handed on"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Step, kind, name, thrown, file, line, not_finite, shape, value, expected_shape,
                                   expected, differs, in_solution)

// What is not UTF-8 is replaced.
inline std::string to_line(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace judge
