// Several threads: every one gets the same results to the bit, and nothing hangs.

#include <autograd/autograd.h>
#include <autograd/kernels/denormal.h>
#include <autograd/kernels/parallel.h>
#include <autograd/tape/record.h>
#include <gtest/gtest.h>
#include <nn/nn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/expect.h"

namespace threads_test {

using namespace autograd;
using fixtures::message_of;

class Threads : public testing::Test {
 protected:
  ~Threads() override { set_num_threads(1); }
};

bool same_bits(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape()) || a.dtype() != b.dtype()) return false;
  return std::memcmp(a.data_ptr<float>(), b.data_ptr<float>(), static_cast<std::size_t>(a.numel()) * sizeof(float)) ==
         0;
}

// Large enough to be shared out, in sizes that divide badly.
std::vector<Tensor> large_results() {
  manual_seed(7);
  const Tensor a = randn({197, 301});
  const Tensor b = randn({301, 299});
  const Tensor small = randn({128, 128});
  const Tensor tall = randn({2003, 53});
  const Tensor row = randn({1, 2049});
  const Tensor wide = randn({2049, 1}) * randn({2101});
  const Tensor flat = randn({300'007});
  const Tensor parameter = flat.clone();
  const Tensor average = zeros({300'007});
  const Tensor square = zeros({300'007});
  adam_step_({{parameter, flat, average, square, {.step_size = 0.1}}});
  const Tensor logits = tall.clone().requires_grad_();
  cross_entropy(logits, randint(0, 53, {2003})).backward();
  return {a.matmul(b),
          b.t().matmul(a.t()),
          small.matmul(small),
          tall.matmul(randn({53, 67})),
          row.matmul(wide),
          row.matmul(wide.narrow(1, 0, 2049).t()),
          wide.matmul(randn({2101})),
          tanh(flat),
          flat * 2.0 + exp(flat),
          sigmoid(flat),
          softmax(tall, 1),
          log_softmax(tall, 1),
          sum(tall, 0),
          logits.grad(),
          parameter,
          average,
          square,
          zeros({300'007}),
          linear(a, randn({2999, 301})),
          tensor(sum_of_squares(flat))};
}

TEST_F(Threads, GiveTheSameBits) {
  const std::vector<Tensor> alone = large_results();
  for (const int threads : {2, 3, 8}) {
    set_num_threads(threads);
    const std::vector<Tensor> together = large_results();
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_TRUE(same_bits(alone[i], together[i])) << "result " << i << " with " << threads << " threads";
    }
  }
}

TEST_F(Threads, AreOneUnlessAskedFor) {
  EXPECT_EQ(num_threads(), 1);
  set_num_threads(3);
  EXPECT_EQ(num_threads(), 3);
  for (const int bad : {0, -1, 257}) message_of(ErrorId::bad_argument, [=] { set_num_threads(bad); });
  EXPECT_EQ(num_threads(), 3);
}

TEST_F(Threads, DoEveryPartOnce) {
  set_num_threads(4);
  for (const std::int64_t n : {0, 1, 2, 7, 8, 9, 100, 1001}) {
    for (const std::int64_t grain : {1, 3, 64}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(n));
      kernels::parallel_for(n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      for (const auto& count : visits) EXPECT_EQ(count, 1);
    }
  }
}

TEST_F(Threads, MayAskForHelpWhileTheyHelp) {
  set_num_threads(4);
  std::atomic<std::int64_t> sum = 0;
  kernels::parallel_for(8, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      kernels::parallel_for(10, 1, [&](std::int64_t from, std::int64_t to) { sum += to - from; });
    }
  });
  EXPECT_EQ(sum, 80);
}

// ---- denormal numbers -----------------------------------------------------------------------------------------

class FlushDenormal : public Threads {
 protected:
  void SetUp() override {
    if (!set_flush_denormal(false)) GTEST_SKIP() << "this processor cannot flush them";
  }
  ~FlushDenormal() override { set_flush_denormal(false); }
};

// How many products of 1e-20 and 1e-19, which are denormal, are 0.
std::int64_t zeros_among_products(std::int64_t count) {
  const Tensor products = full({count}, 1e-20) * full({count}, 1e-19);
  std::int64_t zeros = 0;
  for (std::int64_t i = 0; i < count; ++i) zeros += products.data_ptr<float>()[i] == 0.0f;
  return zeros;
}

TEST_F(FlushDenormal, IsOffUntilAskedForAndOffAgain) {
  EXPECT_EQ(zeros_among_products(4), 0);
  EXPECT_TRUE(set_flush_denormal(true));
  EXPECT_EQ(zeros_among_products(4), 4);
  EXPECT_TRUE(set_flush_denormal(false));
  EXPECT_EQ(zeros_among_products(4), 0);
}

TEST_F(FlushDenormal, TakesDenormalOperandsForZero) {
  const Tensor denormal = full({}, 1e-20) * full({}, 1e-19);
  EXPECT_NE((denormal * 1e20).item(), 0);
  set_flush_denormal(true);
  EXPECT_EQ((denormal * 1e20).item(), 0);
}

TEST_F(FlushDenormal, IsOfOneThread) {
  std::int64_t of_first = -1, of_second = -1;
  std::thread([&] {
    set_flush_denormal(true);
    of_first = zeros_among_products(4);
  }).join();
  of_second = zeros_among_products(4);
  EXPECT_EQ(of_first, 4);
  EXPECT_EQ(of_second, 0);
}

// Each part is done by somebody else, for it waits until all have begun.
TEST_F(FlushDenormal, HoldsForTheHelpersOfThisThread) {
  set_num_threads(3);
  for (const bool flush : {false, true, false}) {
    set_flush_denormal(flush);
    std::atomic<int> begun = 0, flushing = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    const auto work = [&](std::int64_t) {
      ++begun;
      while (begun < 3 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      flushing += kernels::flushes_denormals();
    };
    const auto call = [](const void* context, std::int64_t part) {
      (*static_cast<const decltype(work)*>(context))(part);
    };
    kernels::run_parts(3, call, &work);
    EXPECT_EQ(begun, 3);
    EXPECT_EQ(flushing, flush ? 3 : 0);
  }
}

TEST_F(FlushDenormal, HoldsForAProductOfSeveralThreads) {
  set_num_threads(2);
  const Tensor a = full({128, 128}, 1e-20), b = full({128, 128}, 1e-21);
  EXPECT_GT(a.matmul(b).sum().item(), 0);
  set_flush_denormal(true);
  EXPECT_EQ(a.matmul(b).sum().item(), 0);
}

TEST_F(Threads, HandOnWhatWasThrown) {
  set_num_threads(4);
  for (int round = 0; round < 20; ++round) {
    const auto fail_somewhere = [] {
      kernels::parallel_for(100, 1, [](std::int64_t begin, std::int64_t) {
        if (begin >= 50) throw std::runtime_error("too far");
      });
    };
    EXPECT_THROW(fail_somewhere(), std::runtime_error);
  }
  const Tensor x = ones({300'000});
  EXPECT_EQ((x + x).sum().item(), 600'000);
}

// Two threads of the program, each with a graph of its own.
TEST_F(Threads, ServeSeveralProgramsThreads) {
  set_num_threads(2);
  const auto work = [] {
    for (int round = 0; round < 20; ++round) {
      const Tensor a = ones({200, 200}).requires_grad_();
      a.matmul(a).sum().backward();
      if (!all(a.grad() == 400.0)) return false;
    }
    return true;
  };
  bool first = false;
  bool second = false;
  std::thread one([&] { first = work(); });
  std::thread other([&] { second = work(); });
  one.join();
  other.join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

// A child process has only the thread that forked; it starts helpers of its own.
TEST_F(Threads, AreThereAfterFork) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads";
#endif
  set_num_threads(3);
  const Tensor a = ones({200, 200});
  const Tensor expected = a.matmul(a);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool right = all(a.matmul(a) == expected);
    _exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(all(a.matmul(a) == expected));
}

// A whole training step: forward, backward, clipping, Adam.
TEST_F(Threads, TrainToTheSameBits) {
  const auto train = [] {
    manual_seed(3);
    nn::Seq2Seq model({.encoder = {.vocab_size = 700, .embed_dim = 64, .hidden_dim = 64},
                       .decoder = {.vocab_size = 700, .embed_dim = 64, .hidden_dim = 64}});
    nn::Adam optimizer(model.parameters());
    const Tensor source = randint(4, 700, {16, 5});
    const Tensor target = randint(4, 700, {16, 6});
    for (int step = 0; step < 2; ++step) {
      optimizer.zero_grad();
      const auto [logits, weights] = model(source, {}, target);
      cross_entropy(logits.flatten(0, 1), target.flatten()).backward({.release_graph = true});
      nn::clip_grad_norm_(model.parameters(), 0.1);
      optimizer.step();
    }
    return model.parameters();
  };
  const std::vector<Tensor> alone = train();
  set_num_threads(2);
  const std::vector<Tensor> together = train();
  ASSERT_EQ(alone.size(), together.size());
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(same_bits(alone[i], together[i])) << alone[i].name();
}

// ---- signals -----------------------------------------------------------------------------------------------

// Which signals a thread of this process blocks, by the kernel's account.
std::uint64_t blocked_by(const std::filesystem::path& thread) {
  std::ifstream status(thread / "status");
  for (std::string word; status >> word;) {
    if (word == "SigBlk:" && status >> word) return std::stoull(word, nullptr, 16);
  }
  return 0;
}

// They are for the program's own threads, which know what to do with them.
TEST_F(Threads, OfKernelsBlockSignals) {
  set_num_threads(3);
  large_results();
  int helpers = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    if (thread.path().filename() == std::to_string(getpid())) continue;
    ++helpers;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGCHLD}) {
      EXPECT_TRUE(blocked_by(thread.path()) >> (signal - 1) & 1) << signal;
    }
  }
  EXPECT_GE(helpers, 1);
}

// ---- a graph that is handed over --------------------------------------------------------------------------

// Numbers say in which order backward runs: those of one thread must not fall between those of another.
TEST(GraphOfTwoThreads, HasOneOrder) {
  for (const int ops_before : {0, 1, 1000}) {
    const Tensor x = tensor({1.0, 2.0}, float64).requires_grad_();
    for (int i = 0; i < ops_before; ++i) x * 1.0;
    Tensor h;
    std::thread([&] {
      for (int i = 0; i < 100; ++i) h = x * 3.0;
    }).join();
    const Tensor y = (h * 2.0).sum();
    EXPECT_GT(y.grad_fn()->number, h.grad_fn()->number);
    y.backward();
    EXPECT_EQ(x.grad().to_vector(), (std::vector<double>{6, 6}));
  }
}

TEST(GraphOfTwoThreads, GoesBackAndForth) {
  const Tensor x = tensor({0.5, 0.25}, float64).requires_grad_();
  Tensor y = x;
  for (int turn = 0; turn < 20; ++turn) {
    std::thread([&] { y = (y * x).tanh() + x; }).join();
    y = y * 0.9 + x.exp() * 0.1;
  }
  const std::vector<double> gradient = grad(y.sum(), {x})[0].to_vector();
  Tensor z = x;
  for (int turn = 0; turn < 20; ++turn) z = ((z * x).tanh() + x) * 0.9 + x.exp() * 0.1;
  EXPECT_EQ(gradient, grad(z.sum(), {x})[0].to_vector());
  std::vector<double> there;
  std::thread([&] { there = grad(y.sum(), {x})[0].to_vector(); }).join();
  EXPECT_EQ(there, gradient);
}

TEST(GraphOfTwoThreads, HasEveryNumberOnce) {
  std::vector<Tensor> made(8);
  std::vector<std::thread> threads;
  for (Tensor& one : made) {
    threads.emplace_back([&one] { one = tensor({1.0}, float64).requires_grad_() * 2.0; });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> numbers;
  for (const Tensor& one : made) numbers.insert(one.grad_fn()->number);
  EXPECT_EQ(numbers.size(), made.size());
}

// Where a thread's numbers end, another's begin.
TEST(GraphOfTwoThreads, HasEveryNumberOnceAtTheEndOfABlock) {
  std::set<std::uint64_t> others;
  int twice = 0;
  std::thread([&] {
    number_after(0);
    std::thread([&] {
      for (int i = 0; i < 3; ++i) others.insert(number_after(0));
    }).join();
    for (int i = 0; i < (1 << 20) + 3; ++i) twice += others.contains(number_after(0));
  }).join();
  EXPECT_EQ(twice, 0);
}

}  // namespace threads_test
