// Training: steps downhill on pairs that are drawn as they are needed.
#pragma once

#include "mine/translator.h"

namespace mine {

// The first Ctrl-C ends the training, and shows what came of it so far; a second one ends the program.
void catch_interrupts();
bool stop_wanted();

// Some steps on one batch, without a word. Returns the loss before each.
std::vector<double> few_steps(const Task& task, const Batch& batch, int steps);

struct Trained {
  std::vector<double> losses;  // of every step
  double seconds = 0.0;
};
// Shows how it goes, on standard error.
Trained train(const Task& task, int steps);

// The share of the held-out pairs that are translated without a mistake.
double share_exact(const Task& task);
// The share of their words that are right at their place, the decoder being given what it said itself.
double share_of_words(const Task& task);
// The loss on the held-out pairs.
double held_out_loss(const Task& task);

}  // namespace mine
