// The debug adapter: an editor's session, message by message, and editors that misbehave. After an intended change of
// the messages: tests/renew
#include "autograd/debug/dap/adapter.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "autograd/debug/dap/requests.h"
#include "tests/autograd/debug/adapter_client.h"
#include "tests/autograd/debug/transcript.h"

namespace adapter_test {

using fixtures::AdapterClient;
using fixtures::Json;
using testing::EndsWith;

const std::string script_file = BACKSTEP_SOURCE "/tests/autograd/debug/sessions/small_attention.dap";
const std::string transcript_file = BACKSTEP_SOURCE "/tests/autograd/debug/sessions/small_attention_dap.txt";
constexpr const char* result = "dL/dW\n[[-0.0017, -0.8762],\n [ 0.9982, -0.0017]]\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Numbers of messages are left out, so that one more does not change every line below it.
std::string shown(Json message) {
  message.erase("seq");
  message.erase("request_seq");
  message.erase("type");
  return "<-- " + replaced(message.dump(), BACKSTEP_SOURCE, "${source}") + "\n";
}

// Does a script's requests; returns all messages of both sides.
std::string session(AdapterClient& client) {
  std::string text;
  std::istringstream script(transcript::content_of(script_file));
  for (std::string line; std::getline(script, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = line.find(' ');
    const std::string word = line.substr(0, space);
    const std::string rest = replaced(line.substr(space + 1), "${source}", BACKSTEP_SOURCE);
    if (word != "wait") {
      text += "--> " + line + "\n";
      client.request(word, Json::parse(rest));
    }
    while (const std::optional<Json> message = client.read()) {
      text += shown(*message);
      if (word == "wait" ? message->value("event", "") == rest
                         : message->value("request_seq", 0) == client.last_request()) {
        break;
      }
    }
  }
  return text;
}

TEST(AdapterTranscript, IsAsExpected) {
  AdapterClient client(BACKSTEP_SOURCE, SMALL_ATTENTION);
  const std::string found = session(client);
  EXPECT_THAT(client.output(), EndsWith(result));
  EXPECT_TRUE(transcript::is_in(transcript_file, found));
}

TEST(AdapterTranscript, HasEveryRequest) {
  std::set<std::string> asked = {"terminate", "disconnect"};  // below
  for (const std::string& line : autograd::lines_in(transcript::content_of(script_file)))
    asked.insert(line.substr(0, line.find(' ')));
  for (const autograd::debug::Request& request : autograd::debug::requests()) {
    EXPECT_TRUE(asked.contains(request.command)) << request.command << " is not in " << script_file;
  }
}

// ---- a session up to its first stop ---------------------------------------------------------------------------------

class Session : public testing::Test {
 protected:
  void begin(const Json& attach = Json::object(), const char* request = "attach") {
    client.ask("initialize", {{"adapterID", "backstep"}});
    client.ask(request, attach);
    client.ask("configurationDone");
  }

  AdapterClient client{BACKSTEP_SOURCE, SMALL_ATTENTION};
};

TEST_F(Session, ThatIsTerminatedEndsTheProgram) {
  begin();
  client.wait("stopped");
  EXPECT_TRUE(client.ask("terminate")->at("success"));
  EXPECT_EQ(client.wait("exited")->at("body").at("exitCode"), 1);
  EXPECT_TRUE(client.wait("terminated"));
  EXPECT_EQ(client.output().find("dL/dW"), std::string::npos);
  EXPECT_EQ(client.exit_code(), 1);
}

TEST_F(Session, ThatWasLaunchedEndsWithTheEditor) {
  begin({}, "launch");
  client.wait("stopped");
  EXPECT_TRUE(client.ask("disconnect")->at("success"));
  EXPECT_EQ(client.output().find("dL/dW"), std::string::npos);
}

TEST_F(Session, ThatWasAttachedGoesOnAfterDisconnect) {
  begin();
  client.wait("stopped");
  EXPECT_TRUE(client.ask("disconnect")->at("success"));
  EXPECT_THAT(client.output(), EndsWith(result));
  EXPECT_EQ(client.exit_code(), 0);
}

TEST_F(Session, WithoutDebuggingRunsOn) {
  begin({{"noDebug", true}}, "launch");
  EXPECT_THAT(client.output(), EndsWith(result));
}

TEST_F(Session, StopsNowhereIfToldSo) {
  begin({{"stopAt", "none"}});
  EXPECT_EQ(client.wait("exited")->at("body").at("exitCode"), 0);
  EXPECT_THAT(client.output(), EndsWith(result));
}

TEST_F(Session, LeavesOutTheStopAtTheEndIfToldSo) {
  begin({{"stopAtEnd", false}});
  client.wait("stopped");
  client.ask("continue");
  EXPECT_EQ(client.read()->at("event"), "exited");
}

TEST_F(Session, RefusesAnEditorThatCountsFromZero) {
  EXPECT_FALSE(client.ask("initialize", {{"linesStartAt1", false}})->at("success"));
  EXPECT_FALSE(client.ask("initialize", {{"columnsStartAt1", false}})->at("success"));
  begin();
  EXPECT_TRUE(client.wait("stopped"));
}

// ---- where it stops -------------------------------------------------------------------------------------------------

// A program of three passes, with `cube` and `sum` in each.
class Stops : public testing::Test {
 protected:
  void start(const std::string& kind, const std::string& request, const Json& arguments) {
    client.emplace(BACKSTEP_SOURCE, SWITCH_PROGRAM " " + kind);
    client->ask("initialize");
    client->ask("attach", {{"stopAt", "none"}, {"stopAtEnd", false}});
    EXPECT_TRUE(client->ask(request, arguments)->at("success"));
    client->ask("configurationDone");
  }
  Json next_stop() {
    const std::optional<Json> stop = client->wait("stopped");
    return stop ? stop->at("body") : Json();
  }
  std::string frame(std::size_t i) { return client->ask("stackTrace")->at("body").at("stackFrames")[i].at("name"); }
  std::string op() {  // "sum loss" -> "sum"
    const std::string name = frame(0);
    return name.substr(0, name.find(' '));
  }
  std::string evaluate(const std::string& text) {
    return client->ask("evaluate", {{"expression", text}, {"context", "repl"}})->at("body").at("result");
  }

  std::optional<AdapterClient> client;
};

TEST_F(Stops, WhereAnExceptionIsLookedFor) {
  struct Case {
    const char *program, *filter, *id;
  };
  for (const Case& each :
       {Case{"nan", "nan", "NaN"}, Case{"nan", "inf", "Infinity"}, Case{"wrong", "wrong", "Wrong derivative"}}) {
    start(each.program, "setExceptionBreakpoints", {{"filters", {each.filter}}});
    EXPECT_EQ(next_stop().at("reason"), "exception");
    const Json info = client->ask("exceptionInfo")->at("body");
    EXPECT_EQ(info.at("exceptionId"), each.id);
    EXPECT_NE(info.at("description"), "");
  }
  EXPECT_EQ(op(), "cube");  // before which the last one stands
}

TEST_F(Stops, NowhereForARightDerivative) {
  start("right", "setExceptionBreakpoints", {{"filters", {"wrong", "nan", "inf"}}});
  EXPECT_TRUE(next_stop().is_null());
}

TEST_F(Stops, AtTheHitThatIsAskedFor) {
  start("right", "setFunctionBreakpoints", {{"breakpoints", {{{"name", "cube"}, {"hitCondition", "== 2"}}}}});
  EXPECT_EQ(next_stop().at("reason"), "function breakpoint");
  EXPECT_EQ(frame(1), "step 1");  // which begins with step 0
  client->ask("continue");
  EXPECT_TRUE(next_stop().is_null());
}

TEST_F(Stops, WhereAConditionHolds) {
  const Json at_cube = {{"name", "cube"}, {"condition", "norm > 100"}};
  start("right", "setFunctionBreakpoints", {{"breakpoints", {at_cube, {{"name", "sum"}, {"condition", "dy[0] < 7"}}}}});
  EXPECT_TRUE(next_stop().is_null());
}

TEST_F(Stops, WhenAGradientChanges) {
  start("right", "setDataBreakpoints", {{"breakpoints", {{{"dataId", "x.grad[2]"}}}}});
  EXPECT_EQ(next_stop().at("reason"), "data breakpoint");
  EXPECT_EQ(evaluate("x.grad[2]"), "12");
}

TEST_F(Stops, AtTheLineThatMadeTheCall) {
  const std::string file = BACKSTEP_SOURCE "/tests/autograd/debug/sessions/switch/program.cpp";
  std::istringstream source(transcript::content_of(file));
  int line = 0;
  for (std::string text; std::getline(source, text) && text.find("const StepScope") == std::string::npos;) ++line;
  start("right", "setBreakpoints", {{"source", {{"path", file}}}, {"breakpoints", {{{"line", line + 1}}}}});
  EXPECT_EQ(next_stop().at("reason"), "breakpoint");
  EXPECT_EQ(op(), "sum");  // the first op of the step, once in each pass
  client->ask("continue");
  next_stop();
  EXPECT_EQ(frame(1), "step 1");  // which begins with step 0
}

// Over the source, `y` is what the program calls so, and not the output of the op.
TEST_F(Session, HoverKnowsTheProgramsNamesOnly) {
  begin();
  client.wait("stopped");
  const auto is_shown = [&](const char* expression, const char* context) {
    return client.ask("evaluate", {{"expression", expression}, {"context", context}})->at("success").get<bool>();
  };
  for (const char* letter : {"y", "x0", "x", "dy", "dx0", "y.grad"}) EXPECT_FALSE(is_shown(letter, "hover")) << letter;
  for (const char* letter : {"y", "x0", "dy", "loss"}) EXPECT_TRUE(is_shown(letter, "watch")) << letter;
  for (const char* name : {"keys", "W", "W[0]", "scores"}) EXPECT_TRUE(is_shown(name, "hover")) << name;
}

TEST(ForwardStop, HasNoFrameAndNoGradientOfABackwardThatIsNotThere) {
  AdapterClient client(BACKSTEP_SOURCE, SWITCH_PROGRAM " nan", ",nan");
  client.ask("initialize");
  client.ask("attach");
  client.ask("configurationDone");
  EXPECT_EQ(client.wait("stopped")->at("body").at("reason"), "exception");
  const Json frames = client.ask("stackTrace")->at("body").at("stackFrames");
  ASSERT_EQ(frames.size(), 2U);  // the op, in step 0
  for (const Json& frame : frames) EXPECT_GT(frame.at("line"), 0) << frame;
  const Json scopes = client.ask("scopes", {{"frameId", 1}})->at("body").at("scopes");
  ASSERT_EQ(scopes.size(), 2U);
  const Json shown =
      client.ask("variables", {{"variablesReference", scopes[0].at("variablesReference")}})->at("body").at("variables");
  std::vector<std::string> names;
  for (const Json& one : shown) names.push_back(one.at("name"));
  EXPECT_EQ(names, std::vector<std::string>({"op", "forward", "x0", "y"}));
  EXPECT_FALSE(client.ask("evaluate", {{"expression", "dy"}})->at("success"));
  EXPECT_TRUE(client.ask("evaluate", {{"expression", "y"}})->at("success"));
}

TEST_F(Stops, WhereParametersWithoutAGradientAreListedToo) {
  start("lost", "setFunctionBreakpoints", {{"breakpoints", {{{"name", "mul"}}}}});
  ASSERT_FALSE(next_stop().is_null());
  EXPECT_EQ(op(), "mul");
  const Json scopes = client->ask("scopes", {{"frameId", 1}})->at("body").at("scopes");
  std::map<std::string, std::string> shown;
  for (const Json& scope : scopes) {
    const Json asked = {{"variablesReference", scope.at("variablesReference")}};
    const Json variables = client->ask("variables", asked)->at("body").at("variables");
    for (const Json& each : variables) shown[each.at("name")] = each.at("value");
  }
  ASSERT_TRUE(shown.contains("w.grad") && shown.contains("cut_off.grad") && shown.contains("spare.grad"));
  const std::string place = "switch/program.cpp:";
  EXPECT_NE(shown["cut_off.grad"].find(place), std::string::npos) << shown["cut_off.grad"];
  EXPECT_EQ(shown["w.grad"].find(place), std::string::npos) << shown["w.grad"];
  EXPECT_NE(evaluate("cut_off.grad").find(shown["cut_off.grad"]), std::string::npos);
  EXPECT_NE(evaluate("why cut_off").find(place), std::string::npos);
  EXPECT_NE(evaluate("spare.grad").find(shown["spare.grad"]), std::string::npos);
}

TEST_F(Stops, WhenPaused) {
  start("right", "pause", {{"threadId", 1}});
  EXPECT_EQ(next_stop().at("reason"), "pause");
  EXPECT_EQ(op(), "sum");
}

TEST_F(Stops, ShowsTheStepOfALoopAsAFrame) {
  start("right", "setFunctionBreakpoints", {{"breakpoints", {{{"name", "cube"}}}}});
  next_stop();
  const Json frames = client->ask("stackTrace")->at("body").at("stackFrames");
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[1].at("name"), "step 0");
  EXPECT_EQ(frames[2].at("name"), "backward()");
}

// ---- editors that misbehave -----------------------------------------------------------------------------------------

TEST_F(Session, GoesOnWhenTheEditorIsGone) {
  begin();
  client.wait("stopped");
  client.leave();
  EXPECT_THAT(client.output(), EndsWith(result));
}

TEST_F(Session, GoesOnWhenTheEditorGoesBeforeItHasBegun) {
  client.send_text("Content-Length: 1000\r\n\r\n{\"seq\"");
  client.leave();
  EXPECT_THAT(client.output(), EndsWith(result));
}

TEST_F(Session, AnswersWhatIsNoJson) {
  client.send_body("{\"seq\": 1, ");
  const Json message = *client.read();
  EXPECT_FALSE(message.at("success"));
  EXPECT_EQ(message.at("message"), "the message is no JSON");
  begin();
  EXPECT_TRUE(client.wait("stopped"));
}

TEST_F(Session, AnswersWhatIsNoRequest) {
  for (const char* body :
       {"[]", "7", "null", "{}", R"({"type":"request"})", R"({"type":7,"seq":1})",
        R"({"seq":1,"type":"event","event":"x"})", R"({"seq":"1","type":"request","command":"next"})",
        R"({"seq":1,"type":"request","command":7})",
        R"({"seq":1,"type":"request","command":"threads","arguments":[1]})"}) {
    client.send_body(body);
    const std::optional<Json> message = client.read();
    ASSERT_TRUE(message) << body;
    EXPECT_FALSE(message->at("success")) << body;
  }
}

class BadHeader : public Session, public testing::WithParamInterface<const char*> {};

TEST_P(BadHeader, EndsTheSessionNotTheProgram) {
  begin();
  client.wait("stopped");
  client.send_text(GetParam());
  EXPECT_TRUE(client.wait("output"));
  EXPECT_THAT(client.output(), EndsWith(result));
}

const std::string endless_header = "X: " + std::string(10000, 'x');
INSTANTIATE_TEST_SUITE_P(All, BadHeader,
                         testing::Values("Content-Length: 99999999999999999999\r\n\r\n",
                                         "Content-Length: 20000000\r\n\r\n{", "Content-Length: -1\r\n\r\n",
                                         "Content-Length: ten\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                                         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
                                         "Content-Length: 2\r\nOrigin: http://x\r\n\r\n{}", endless_header.c_str()));

// ---- where it listens -----------------------------------------------------------------------------------------------

// The sockets of this process that listen.
std::vector<int> listening_sockets() {
  std::vector<int> found;
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    int listens = 0;
    socklen_t size = sizeof listens;
    const bool is_socket = getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0;
    if (is_socket && listens) found.push_back(descriptor);
  }
  return found;
}

bool is_closed_in_children(int descriptor) {
  return (fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0;
}

TEST(Listening, IsForThisMachineAndThisProcessOnly) {
  ASSERT_TRUE(listening_sockets().empty());
  std::unique_ptr<autograd::debug::Connection> connection;
  std::thread waiting([&] { connection = autograd::debug::wait_for_editor(""); });
  while (listening_sockets().empty()) std::this_thread::yield();
  const int listening = listening_sockets().front();
  EXPECT_TRUE(is_closed_in_children(listening));
  sockaddr_in where{};
  socklen_t size = sizeof where;
  getsockname(listening, reinterpret_cast<sockaddr*>(&where), &size);
  EXPECT_EQ(ntohl(where.sin_addr.s_addr), INADDR_LOOPBACK);
  const int editor = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(connect(editor, reinterpret_cast<const sockaddr*>(&where), size), 0);
  waiting.join();
  EXPECT_TRUE(connection->is_open());
  EXPECT_TRUE(listening_sockets().empty());
  close(editor);
}

TEST(Address, ThatIsNoneIsRefusedBeforeMain) {
  for (const std::string address : {"0", "99999", "-1", "port", BACKSTEP_SOURCE "/README.md"}) {
    EXPECT_THAT(transcript::output_of("BACKSTEP=dap:" + address + " " SMALL_ATTENTION " 2>&1; echo $?"),
                EndsWith("\n2\n"));
  }
}

// A random change of a request's text, or of its place in the order.
std::string garbled(const std::vector<std::string>& bodies, std::mt19937& random) {
  std::string body = bodies[random() % bodies.size()];
  for (std::uint32_t changes = random() % 4; changes > 0; --changes) {
    const std::size_t at = random() % body.size();
    const std::string other = bodies[random() % bodies.size()];
    switch (random() % 4) {
      case 0: body[at] = static_cast<char>(random() % 256); break;
      case 1: body.erase(at, 1 + random() % 8); break;
      case 2: body.insert(at, other.substr(random() % other.size(), 1 + random() % 12)); break;
      default: body.replace(at, 1, std::to_string(static_cast<std::int32_t>(random()))); break;
    }
    if (body.empty()) body = "{}";
  }
  return body;
}

std::vector<std::string> bodies_of_script() {
  std::vector<std::string> bodies;
  std::istringstream script(transcript::content_of(script_file));
  for (std::string line; std::getline(script, line);) {
    const std::size_t space = line.find(' ');
    if (line.empty() || line[0] == '#' || line.rfind("wait", 0) == 0) continue;
    bodies.push_back(fmt::format(R"({{"seq":1,"type":"request","command":"{}","arguments":{}}})", line.substr(0, space),
                                 replaced(line.substr(space + 1), "${source}", BACKSTEP_SOURCE)));
  }
  return bodies;
}

// The program may end by `continue`; then it has printed the same as without an editor.
TEST(AdapterFuzz, GarbledRequestsAreAnsweredAndChangeNothing) {
  const std::vector<std::string> bodies = bodies_of_script();
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    AdapterClient client(BACKSTEP_SOURCE, SMALL_ATTENTION);
    client.ask("initialize");
    for (int i = 0; i < 200 && client.is_connected(); ++i) {
      client.send_body(garbled(bodies, random));
      std::optional<Json> message = client.read();
      while (message && message->at("type") == "event") message = client.read();
      if (!message) client.leave();
    }
    client.leave();
    ASSERT_THAT(client.output(), EndsWith(result)) << "seed " << seed;
    ASSERT_EQ(client.exit_code(), 0) << "seed " << seed;
  }
}

}  // namespace adapter_test
