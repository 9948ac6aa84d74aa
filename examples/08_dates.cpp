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
#include <autograd/text/words.h>
#include <fmt/core.h>
#include <nn/attention/heatmap.h>
#include <nn/nn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
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

std::string ordinal(int number) {
  const bool is_teen = number / 10 == 1;
  const int last = is_teen ? 0 : number % 10;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

constexpr int forms = 10;
constexpr int letter_cases = 3;  // As Here, all lower, ALL UPPER

// The day in one of many forms, as different people would write it.
std::string written(Day day, std::int64_t form, std::int64_t letter_case) {
  const auto [year, month, number, name, weekday] = parts_of(day);
  const std::string short_name = name.substr(0, 3);
  switch (form) {
    case 0: return with_case(fmt::format("{} {} {} {}", weekday, number, name, year), letter_case);
    case 1: return with_case(fmt::format("the {} of {} {}", ordinal(number), name, year), letter_case);
    case 2: return with_case(fmt::format("{} {} {}", number, name, year), letter_case);
    case 3: return with_case(fmt::format("{} {}, {}", name, number, year), letter_case);
    case 4: return with_case(fmt::format("{} {} {}", number, short_name, year), letter_case);
    case 5: return with_case(fmt::format("{} {}, {}", short_name, number, year), letter_case);
    case 6:
      return with_case(fmt::format("{}, {} {} {:02}", weekday.substr(0, 3), number, short_name, year % 100),
                       letter_case);
    case 7: return fmt::format("{}/{}/{:02}", number, month, year % 100);
    case 8: return fmt::format("{:02}/{:02}/{}", number, month, year);
    default: return fmt::format("{}.{}.{}", number, month, year);
  }
}

// Every tenth day is kept for testing.
bool is_held_out(Day day) {
  return day.time_since_epoch().count() % 10 == 0;
}

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
  Tensor target_out;                  // [B, 11], the target and eos: what the decoder must say after each of target_in
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

Pair random_pair(Day day, Generator& random) {
  const std::int64_t form = random.integer(0, forms);
  const std::int64_t letter_case = random.integer(0, letter_cases);
  return {written(day, form, letter_case), iso(day)};
}

std::vector<Pair> training_pairs(std::int64_t count, Generator& random) {
  std::vector<Pair> pairs;
  for (std::int64_t i = 0; i < count; ++i) pairs.push_back(random_pair(random_training_day(random), random));
  return pairs;
}

// Every third of the held-out days, more than a thousand.
std::vector<Pair> held_out_pairs(Generator& random) {
  std::vector<Pair> pairs;
  for (Day day = first_day; day <= last_day; day += std::chrono::days(1)) {
    if (is_held_out(day) && day.time_since_epoch().count() % 3 == 0) pairs.push_back(random_pair(day, random));
  }
  return pairs;
}

// ---- the model -----------------------------------------------------------------------------------------------

constexpr std::int64_t batch_size = 32;
constexpr std::int64_t embed_dim = 32;
constexpr std::int64_t hidden_dim = 64;
constexpr double learning_rate = 5e-3;
constexpr double largest_gradient = 1.0;  // longer gradients are shortened to this

nn::Seq2SeqOptions model_options() {
  return {.encoder = {.vocab_size = source_alphabet.size(),
                      .embed_dim = embed_dim,
                      .hidden_dim = hidden_dim,
                      .padding_idx = padding},
          .decoder = {.vocab_size = target_alphabet.size(), .embed_dim = embed_dim, .hidden_dim = hidden_dim}};
}

double train_on(const Batch& batch, const nn::Seq2Seq& model, nn::Optimizer& optimizer) {
  optimizer.zero_grad();
  const auto [logits, weights] = model(batch.source, batch.lengths, batch.target_in);  // logits [B, 11, V]
  const Tensor loss = autograd::cross_entropy(logits.flatten(0, 1), batch.target_out.flatten());
  loss.backward({.release_graph = true});
  nn::clip_grad_norm_(model.parameters(), largest_gradient);
  optimizer.step();
  return loss.item();
}

nn::Seq2Seq::Translation translate(const nn::Seq2Seq& model, const Batch& batch) {
  return model.greedy(batch.source, batch.lengths, {.bos = bos, .eos = eos, .max_length = target_length + 1});
}

// How many of the pairs are translated without a single mistake.
std::int64_t count_exact(const nn::Seq2Seq& model, const std::vector<Pair>& pairs) {
  constexpr std::ptrdiff_t at_once = 256;
  std::int64_t exact = 0;
  for (auto start = pairs.begin(); start != pairs.end();) {
    const auto stop = start + std::min(at_once, pairs.end() - start);
    const std::vector<Pair> part(start, stop);
    const nn::Seq2Seq::Translation translation = translate(model, make_batch(part));
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (target_alphabet.text(translation.tokens[i]) == part[i].target) ++exact;
    }
    start = stop;
  }
  return exact;
}

double percent(std::int64_t part, std::size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// ---- progress, on stderr -------------------------------------------------------------------------------------

volatile std::sig_atomic_t stop_wanted = 0;

void stop_after_this_step(int) {
  stop_wanted = 1;
}

// One line that is written over again and again in a terminal, and a line now and then in a file.
class Progress {
 public:
  explicit Progress(std::int64_t steps) : steps_(steps), is_terminal_(isatty(STDERR_FILENO)) {}

  void show(std::int64_t step, double loss, double held_out_percent) const {
    const std::int64_t every = is_terminal_ ? 5 : 100;
    if (step % every != 0 && step != steps_) return;
    const double rate = static_cast<double>(step) / seconds();
    const int left = static_cast<int>(static_cast<double>(steps_ - step) / rate);
    fmt::print(stderr, "{}step {:>4}/{}   loss {:.4f}   held out {:>5.1f} %   {:>5.1f} steps/s   {}:{:02} left{}",
               is_terminal_ ? "\r" : "", step, steps_, loss, held_out_percent, rate, left / 60, left % 60,
               is_terminal_ ? "\x1b[K" : "\n");
    std::fflush(stderr);
  }

  void finish(std::int64_t step) const {
    fmt::print(stderr, "{}{}: {} steps in {:.1f} s\n", is_terminal_ ? "\r\x1b[K" : "",
               stop_wanted ? "Stopped" : "Trained", step, seconds());
  }

 private:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  std::int64_t steps_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Returns how many steps were made.
std::int64_t train(const nn::Seq2Seq& model, std::int64_t steps, const std::vector<Pair>& held_out, Generator& random) {
  constexpr std::int64_t look_every = 50;
  const std::vector<Pair> few(held_out.begin(), held_out.begin() + 200);
  nn::Adam optimizer(model.parameters(), {.lr = learning_rate});
  nn::CosineAnnealingLR schedule(optimizer, {.T_max = steps});
  const Progress progress(steps);
  double held_out_percent = 0.0;
  std::int64_t step = 0;
  while (step < steps && !stop_wanted) {
    const double loss = train_on(make_batch(training_pairs(batch_size, random)), model, optimizer);
    schedule.step();
    ++step;
    if (step % look_every == 0) held_out_percent = percent(count_exact(model, few), few.size());
    progress.show(step, loss, held_out_percent);
  }
  progress.finish(step);
  return step;
}

// ---- the result ----------------------------------------------------------------------------------------------

constexpr Day shown_day = std::chrono::year{2009} / 3 / 7;  // a held-out one

std::vector<Pair> shown_pairs() {
  std::vector<Pair> pairs;
  for (int form = 0; form < forms; ++form)
    pairs.push_back({written(shown_day, form, form % letter_cases), iso(shown_day)});
  return pairs;
}

// A label for each letter; a blank would not be seen.
std::vector<std::string> letters_of(std::string_view text) {
  std::vector<std::string> labels;
  for (const char letter : text) labels.push_back(letter == ' ' ? "␣" : std::string(1, letter));
  return labels;
}

void show_translations(const std::vector<Pair>& pairs, const nn::Seq2Seq::Translation& translation) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string found = target_alphabet.text(translation.tokens[i]);
    fmt::print("  {:<26} {}{}\n", pairs[i].source, found, found == pairs[i].target ? "" : "   (wrong)");
  }
}

// In the terminal, and as a picture.
void show_attention(const Pair& pair, const std::vector<std::int64_t>& tokens, const Tensor& weights,
                    const std::string& file) {
  const std::string found = target_alphabet.text(tokens);
  const std::int64_t rows = static_cast<std::int64_t>(found.size());
  const std::int64_t columns = static_cast<std::int64_t>(pair.source.size());
  const Tensor matrix = weights.narrow(0, 0, rows).narrow(1, 0, columns);  // without eos and padding
  nn::HeatmapOptions options;
  options.row_axis = "written";
  options.column_axis = "read";
  options.style = nn::heatmap_style_for(stdout);
  fmt::print("\n{}", nn::heatmap_text(matrix, letters_of(found), letters_of(pair.source), options));
  options.title = fmt::format("What the decoder looks at: “{}”", pair.source);
  nn::write_heatmap_svg(file, matrix, letters_of(found), letters_of(pair.source), options);
  fmt::print("  in {}\n", file);
}

void show_result(const nn::Seq2Seq& model, std::int64_t steps, const std::vector<Pair>& held_out,
                 const std::filesystem::path& folder) {
  const std::int64_t exact = count_exact(model, held_out);
  fmt::print(
      "\nAfter {} steps, {} of {} held-out dates are translated exactly ({:.1f} %). One of them in every form:\n\n",
      steps, exact, held_out.size(), percent(exact, held_out.size()));
  const std::vector<Pair> pairs = shown_pairs();
  const nn::Seq2Seq::Translation translation = translate(model, make_batch(pairs));
  show_translations(pairs, translation);

  fmt::print("\nWhere it looks while it writes each character:\n");
  const std::pair<std::size_t, std::string> drawn[] = {
      {0, "dates_attention.svg"}, {3, "dates_attention_2.svg"}, {7, "dates_attention_3.svg"}};
  for (const auto& [i, name] : drawn) {
    show_attention(pairs[i], translation.tokens[i], translation.weights[static_cast<std::int64_t>(i)], folder / name);
  }
}

// ---- options -------------------------------------------------------------------------------------------------

constexpr std::string_view help =
    "08_dates: trains a small translator with attention, and shows what it attends to.\n\n"
    "  --steps N    training steps (default 500)\n"
    "  --seed N     of everything random (default 0)\n"
    "  --out DIR    where the pictures go (default: here)\n"
    "  --help       this text\n\n"
    "Ctrl-C stops the training after the current step and shows the result so far; a second one ends the program.\n";

struct Options {
  std::int64_t steps = 500;
  std::uint64_t seed = 0;
  std::filesystem::path out = ".";
};

[[noreturn]] void refuse(const std::string& problem) {
  fmt::print(stderr, "08_dates: {}; --help lists the options\n", problem);
  std::exit(2);
}

template <class Number> Number number_from(std::string_view option, std::string_view text, Number smallest) {
  const std::optional<Number> number = autograd::number_in<Number>(text);
  if (!number || *number < smallest) {
    refuse(fmt::format("{} wants a whole number from {} up, not \"{}\"", option, smallest, text));
  }
  return *number;
}

// Before the training, not after it: can pictures be written there?
std::filesystem::path folder_from(const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(text, error);
  const bool is_folder = std::filesystem::is_directory(text, error);
  if (!is_folder || access(text.c_str(), W_OK | X_OK) != 0)
    refuse(fmt::format("--out: no files can be written to \"{}\"", text));
  return text;
}

Options options_from(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--help") {
      fmt::print("{}", help);
      std::exit(0);
    }
    if (option != "--steps" && option != "--seed" && option != "--out")
      refuse(fmt::format("unknown option \"{}\"", option));
    if (i + 1 == arguments.size()) refuse(fmt::format("{} wants a value", option));
    const std::string& value = arguments[++i];
    if (option == "--steps") options.steps = number_from<std::int64_t>(option, value, 1);
    if (option == "--seed") options.seed = number_from<std::uint64_t>(option, value, 0);
    if (option == "--out") options.out = folder_from(value);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = options_from(std::vector<std::string>(argv + 1, argv + argc));
  struct sigaction on_interrupt {};
  on_interrupt.sa_handler = stop_after_this_step;
  on_interrupt.sa_flags = SA_RESETHAND | SA_RESTART;  // the second Ctrl-C is not caught
  sigaction(SIGINT, &on_interrupt, nullptr);

  autograd::manual_seed(options.seed);  // of the weights
  Generator random(options.seed);       // of the dates
  const std::vector<Pair> held_out = held_out_pairs(random);
  fmt::print("Dates as people write them, and as files want them:\n\n");
  for (const Pair& pair : training_pairs(6, random)) fmt::print("  {:<26} {}\n", pair.source, pair.target);

  const nn::Seq2Seq model(model_options());
  fmt::print("\nThe model has {} parameters and has seen none of the {} days that it is tested on.\n",
             model.num_parameters(), held_out.size());
  std::fflush(stdout);
  const std::int64_t steps = train(model, options.steps, held_out, random);
  show_result(model, steps, held_out, options.out);
} catch (const autograd::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
