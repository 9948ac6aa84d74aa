// In the place of debug/dap: there are no sockets for an editor to connect to.
#include <stdexcept>

#include "autograd/debug/dap/adapter.h"

namespace autograd::debug {

Observer* make_adapter(const std::string&) {
  throw std::invalid_argument(
      "a program in WebAssembly has no socket for an editor; use step, with commands from a script");
}

}  // namespace autograd::debug
