// A small translator with attention, trained while you watch: dates as people write them into dates as files want them.
//
//   "Tuesday 3 March 2009"   "3/3/09"   "mar 3, 2009"   "3.3.2009"      ->   "2009-03-03"
//
// What it shows: the whole of a sequence-to-sequence program. A bidirectional GRU reads the letters, a GRU with
// Bahdanau attention writes the digits, and nobody tells it what a month is. What it looks at while it writes is
// drawn at the end. The days it is tested on occur in training in no form at all.
//
// Try next: hidden_dim 32; a format of your own in `written`; without gradient clipping; encoder outputs replaced by
// zeros but for the last one, which is translation without attention.
//
//   build/release/examples/08_dates          (Ctrl-C stops and shows the result so far)
#include <autograd/autograd.h>
#include <fmt/format.h>
#include <nn/nn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using autograd::Generator;
using autograd::Tensor;

namespace {

// ---- dates ---------------------------------------------------------------------------------------------------

using Day = std::chrono::sys_days;

// Two digits of a year mean 1969 to 2068, as in POSIX, so exactly these years are used.
constexpr Day first_day = std::chrono::year{1969} / 1 / 1;
constexpr Day last_day = std::chrono::year{2068} / 12 / 31;

constexpr std::string_view month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
constexpr std::string_view weekday_names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                              "Thursday", "Friday", "Saturday"};

struct Parts {
  int year, month, day;
  std::string month_name, weekday_name;
};

Parts parts_of(Day day) {
  const std::chrono::year_month_day date(day);
  const unsigned month = static_cast<unsigned>(date.month());
  const unsigned weekday = std::chrono::weekday(day).c_encoding();
  return {static_cast<int>(date.year()), static_cast<int>(month), static_cast<int>(static_cast<unsigned>(date.day())),
          std::string(month_names[month - 1]), std::string(weekday_names[weekday])};
}

std::string iso(Day day) {
  const Parts date = parts_of(day);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::string with_case(std::string text, std::int64_t style) {
  for (char& letter : text) {
    if (style == 1 && 'A' <= letter && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (style == 2 && 'a' <= letter && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return text;
}

// The day in one of many forms, as different people would write it.
std::string written(Day day, Generator& random) {
  const auto [year, month, number, name, weekday] = parts_of(day);
  const std::string short_name = name.substr(0, 3);
  const std::int64_t style = random.integer(0, 3);
  switch (random.integer(0, 9)) {
    case 0:
      return with_case(fmt::format("{} {} {} {}", weekday, number, name, year), style);
    case 1:
      return with_case(fmt::format("{} {} {}", number, name, year), style);
    case 2:
      return with_case(fmt::format("{} {} {}", number, short_name, year), style);
    case 3:
      return with_case(fmt::format("{} {}, {}", name, number, year), style);
    case 4:
      return with_case(fmt::format("{} {}, {}", short_name, number, year), style);
    case 5:
      return with_case(fmt::format("{}, {} {} {:02}", weekday.substr(0, 3), number, short_name, year % 100), style);
    case 6:
      return fmt::format("{}/{}/{:02}", number, month, year % 100);
    case 7:
      return fmt::format("{:02}/{:02}/{}", number, month, year);
    default:
      return fmt::format("{}.{}.{}", number, month, year);
  }
}

// Every tenth day is kept for testing.
bool is_held_out(Day day) { return day.time_since_epoch().count() % 10 == 0; }

Day random_training_day(Generator& random) {
  const std::int64_t days = (last_day - first_day).count() + 1;
  while (true) {
    const Day day = first_day + std::chrono::days(random.integer(0, days));
    if (!is_held_out(day)) return day;
  }
}

// ---- letters and ids -----------------------------------------------------------------------------------------

constexpr std::int64_t padding = 0;
constexpr std::int64_t bos = 1;  // stands before every translation
constexpr std::int64_t eos = 2;  // and after it
constexpr std::int64_t first_letter = 3;

// A letter's id is its place in this text, after the three special ones.
struct Alphabet {
  std::string_view letters;

  std::int64_t size() const { return first_letter + static_cast<std::int64_t>(letters.size()); }
  std::int64_t id(char letter) const { return first_letter + static_cast<std::int64_t>(letters.find(letter)); }
  std::string text(const std::vector<std::int64_t>& ids) const {
    std::string text;
    for (const std::int64_t id : ids) {
      text += id < first_letter ? '?' : letters[static_cast<std::size_t>(id - first_letter)];
    }
    return text;
  }
};

constexpr Alphabet source_alphabet{" ,./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"};
constexpr Alphabet target_alphabet{"-0123456789"};
constexpr std::int64_t target_length = 10;  // "2009-03-03"

struct Pair {
  std::string source;  // "3/3/09"
  std::string target;  // "2009-03-03"
};

struct Batch {
  Tensor source;                      // [B, S] ids, padded
  std::vector<std::int64_t> lengths;  // of the sources
  Tensor target_in;                   // [B, 11], bos and the target
  Tensor target_out;                  // [B, 11], the target and eos: what is to be said after each of target_in
};

Batch make_batch(const std::vector<Pair>& pairs) {
  std::size_t longest = 0;
  for (const Pair& pair : pairs) longest = std::max(longest, pair.source.size());

  Batch batch;
  std::vector<std::int64_t> source;
  std::vector<std::int64_t> target_in;
  std::vector<std::int64_t> target_out;
  for (const Pair& pair : pairs) {
    for (const char letter : pair.source) source.push_back(source_alphabet.id(letter));
    source.insert(source.end(), longest - pair.source.size(), padding);
    batch.lengths.push_back(static_cast<std::int64_t>(pair.source.size()));

    target_in.push_back(bos);
    for (const char letter : pair.target) {
      target_in.push_back(target_alphabet.id(letter));
      target_out.push_back(target_alphabet.id(letter));
    }
    target_out.push_back(eos);
  }
  const std::int64_t size = static_cast<std::int64_t>(pairs.size());
  batch.source = autograd::ids(source, {size, static_cast<std::int64_t>(longest)});
  batch.target_in = autograd::ids(target_in, {size, target_length + 1});
  batch.target_out = autograd::ids(target_out, {size, target_length + 1});
  return batch;
}

std::vector<Pair> training_pairs(std::int64_t count, Generator& random) {
  std::vector<Pair> pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    const Day day = random_training_day(random);
    pairs.push_back({written(day, random), iso(day)});
  }
  return pairs;
}

// Every third of the held-out days, more than a thousand.
std::vector<Pair> held_out_pairs(Generator& random) {
  std::vector<Pair> pairs;
  for (Day day = first_day; day <= last_day; day += std::chrono::days(1)) {
    if (is_held_out(day) && day.time_since_epoch().count() % 3 == 0) pairs.push_back({written(day, random), iso(day)});
  }
  return pairs;
}

// ---- the model -----------------------------------------------------------------------------------------------

struct Knobs {
  std::int64_t batch = 64, embed = 32, hidden = 64, steps = 1500;
  double lr = 4e-3, clip = 1.0;
  std::uint64_t seed = 0;
  int sched = 1; double end = 0.02; double b2=0.999; std::int64_t att=0;
};
Knobs knobs() {
  Knobs k;
  auto get = [](const char* n, auto& v) { if (const char* s = getenv(n)) v = static_cast<std::remove_reference_t<decltype(v)>>(atof(s)); };
  get("B", k.batch); get("E", k.embed); get("H", k.hidden); get("N", k.steps); get("LR", k.lr); get("CLIP", k.clip); get("SEED", k.seed); get("SCHED", k.sched);get("END", k.end);get("B2", k.b2);get("A", k.att);
  return k;
}

double exact(nn::Seq2Seq& model, const std::vector<Pair>& pairs) {
  int right = 0;
  for (std::size_t i = 0; i < pairs.size(); i += 256) {
    std::vector<Pair> part(pairs.begin() + i, pairs.begin() + std::min(i + 256, pairs.size()));
    Batch batch = make_batch(part);
    auto t = model.greedy(batch.source, batch.lengths, {.bos = bos, .eos = eos, .max_length = 11});
    for (std::size_t j = 0; j < part.size(); ++j) {
      bool ok = target_alphabet.text(t.tokens[j]) == part[j].target;
      right += ok;
      if (getenv("SHOW") && !ok) fmt::print("   {} -> {} want {}\n", part[j].source, target_alphabet.text(t.tokens[j]), part[j].target);
    }
  }
  return right / double(pairs.size());
}
}  // namespace

int main() {
  Knobs k = knobs();
  autograd::manual_seed(k.seed);
  Generator random(k.seed);
  auto held = held_out_pairs(random);
  nn::Seq2Seq model({.encoder = {.vocab_size = source_alphabet.size(), .embed_dim = k.embed, .hidden_dim = k.hidden, .padding_idx = padding},
                     .decoder = {.vocab_size = target_alphabet.size(), .embed_dim = k.embed, .hidden_dim = k.hidden, .attention_dim = k.att}});
  nn::Adam opt(model.parameters(), {.lr = k.lr, .betas = {.second = k.b2}});
  auto start = std::chrono::steady_clock::now();
  double gen = 0, tfwd = 0, tbwd = 0, topt = 0;
  auto now = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  double evalt = 0;
  for (int step = 0; step < k.steps; ++step) {
    double f = double(step) / k.steps;
    double w = std::min(1.0, (step + 1) / 50.0);
    double s = k.sched == 0 ? 1 : k.sched == 1 ? k.end + (1 - k.end) * (1 + std::cos(3.14159265 * f)) / 2 : k.end + (1 - k.end) * (1 - f);
    if (k.sched == 3) s = f < 0.7 ? 1 : k.end + (1 - k.end) * (1 - f) / 0.3;
    opt.set_lr(k.lr * w * s);
    double t0 = now();
    Batch batch = make_batch(training_pairs(k.batch, random));
    double t1 = now();
    opt.zero_grad();
    auto out = model(batch.source, batch.lengths, batch.target_in);
    Tensor loss = autograd::cross_entropy(out.logits.flatten(0, 1), batch.target_out.flatten());
    double t2 = now();
    loss.backward({.release_graph = true});
    double t3 = now();
    nn::clip_grad_norm_(model.parameters(), k.clip);
    opt.step();
    double t4 = now();
    gen += t1 - t0; tfwd += t2 - t1; tbwd += t3 - t2; topt += t4 - t3;
    if ((step + 1) % (k.steps / 10) == 0) {
      double e0 = now();
      double acc = exact(model, held);
      evalt += now() - e0;
      fmt::print("{} loss {:.4f} acc {:.4f}  t {:.1f} (train only {:.1f})  gen {:.2f} fwd {:.2f} bwd {:.2f} opt {:.2f} eval {:.2f}\n", step + 1, loss.item(), acc, now(), now() - evalt, gen, tfwd, tbwd, topt, evalt);
      std::fflush(stdout);
    }
  }
}
