// The trace as it stands in the page: the same content as to_json(), in columns of numbers instead of one object for
// each node, and with tensors as bytes. A third of the size, and much faster to read. page/unpack.js undoes it. Private
// to the page.
#pragma once

#include <string>

#include "autograd/debug/trace/trace.h"

namespace autograd::debug {

std::string to_packed_json(const Trace& trace);

}  // namespace autograd::debug
