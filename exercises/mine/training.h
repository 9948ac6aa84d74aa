// Training: steps downhill on pairs that are drawn as they are needed.
#pragma once

#include "mine/translator.h"

namespace mine {

// The first Ctrl-C ends the training, and shows what came of it so far; a second one ends the program.
void catch_interrupts();
bool stop_wanted();

// Four steps on one batch, without a word. Returns the loss before each.
std::vector<double> few_steps(const Translator& translator, const Batch& batch);
// Returns the loss before each step. Shows how it goes, on standard error.
// On sentences that it draws, or on these few.
std::vector<double> train(const Translator& translator, int steps, const std::vector<Pair>& by_heart);

}  // namespace mine
