// Wire: what the process of an answer and that of the judge say to each other, as bytes on a socket. Both are compiled
// from the same sources on the same machine. What comes from an answer's process may be anything: the judge reads it
// without trusting it.
#pragma once

#include <string>
#include <string_view>

#include "course/steps.h"

namespace course {

// What the judge asks for.
struct Request {
  bool ops = false;  // every op, too
  Setting setting;
  RunOptions options;
};

inline constexpr const char* not_a_message = "the answer's process sent what is no message";

std::string to_bytes(const Request& request);
std::string to_bytes(const Watched& watched);
// Throw std::runtime_error(not_a_message) where the bytes are none.
Request read_request(std::string_view bytes);
Watched read_watched(std::string_view bytes);

// A message is its length and its bytes. Both are false when the other end is gone; the second throws
// std::runtime_error where what comes is no message.
bool send_message(int socket, std::string_view bytes);
bool receive_message(int socket, std::string& bytes);

}  // namespace course
