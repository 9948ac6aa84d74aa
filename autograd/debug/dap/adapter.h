// The debugger for editors: the Debug Adapter Protocol (DAP), spoken by the user's program itself.
//
//   BACKSTEP=dap ./program                  waits for an editor at a free port of this machine, which it says
//   BACKSTEP=dap:4711 ./program             at this port
//   BACKSTEP=dap:/path/to/socket ./program  at a Unix socket
//
// Requests are served by the program's own thread: before main() until the editor has configured its breakpoints, then
// whenever the debugger stops; while the program runs, it looks between two ops whether there is one. When the editor
// goes away, the program goes on. docs/debugger.md shows it at work.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autograd/debug/dap/connection.h"
#include "autograd/debug/dap/variables.h"
#include "autograd/debug/dap/wanted.h"
#include "autograd/debug/step/debugger.h"

namespace autograd::debug {

class Adapter : public Debugger {
 public:
  explicit Adapter(std::unique_ptr<Connection> connection);
  // Serves requests until the editor says that the program may begin.
  void configure();
  // Tells the editor that the program ends.
  void say_goodbye(int exit_code);

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override;
  Grads run(Node& node, const Tensor& dy) override;
  void pass_begins(Pass& pass) override;

  void write(const std::string& text) override;
  void detach() override;
  void kill() override;
  void read_script(const std::string& file) override;

  // ---- for the requests ---------------------------------------------------------------------------------------------
  void event(const std::string& name, const Json& body);
  void print(const std::string& text, const char* category = "console");  // into the editor's console
  // What the command wrote. Throws what it was refused with.
  std::string run(const std::string& command);
  // Is there a pass to look at?
  bool stopped() const { return stop_.has_value(); }
  const Stop& stop() const { return *stop_; }
  // What the stop is called if it is for an exception, "NaN"; else "".
  std::string exception() const;
  using Debugger::is_in_pass;

  // What the editor said about itself and the program.
  bool initialized = false;
  bool configured = false;
  bool launched = false;           // started for this session, and so ended with it
  bool without_debugging = false;  // launch: noDebug
  bool only_first_pass = false;    // settings.stop_at holds until the first stop
  bool pause_wanted = false;
  bool moved_by_command = false;  // which no editor expects
  std::vector<Wanted> wanted;     // breakpoints of all kinds, those too that this pass has no place for
  std::vector<Handle> handles;    // what the editor may unfold until the program goes on

 private:
  void talk(const Stop& stop) override;
  bool stops(const Breakpoint& breakpoint) override;
  bool take_pause() override { return pause_wanted; }  // until report() has told the editor
  void report(const Stop& stop);
  void serve(bool wait);
  void handle(const std::string& text);
  void answer_request(const Json& message);
  void respond(const Json& request, const Json& body);
  void refuse(const Json& request, const std::string& why);

  std::unique_ptr<Connection> connection_;
  std::int64_t sent_ = 0;
  std::optional<Stop> stop_;  // while the program stands still
  std::string* captured_ = nullptr;
};

// For BACKSTEP=dap (start.cpp). Throws std::invalid_argument.
Observer* make_adapter(const std::string& address);

}  // namespace autograd::debug
