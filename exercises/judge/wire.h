// Wire: what an answer's program and the judge say to each other, as bytes. Both are compiled from the same sources on
// the same machine. What comes from an answer's program may be anything: the judge reads it without trusting it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "judge/steps.h"

namespace judge {

// What the judge asks for.
struct Request {
  bool ops = false;  // every op, too
  Setting setting;
  RunOptions options;
};

inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of a message

std::string to_bytes(const Request& request);
std::string to_bytes(const Watched& watched);
// Throw AnswerEnded{sent_no_message} where the bytes are none.
Request read_request(std::string_view bytes);
Watched read_watched(std::string_view bytes);

}  // namespace judge
