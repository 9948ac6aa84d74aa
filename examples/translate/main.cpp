// translate: trains translators, translates with them, measures them, and shows what they look at.
//
//   translate train --out runs/first                          on the artificial language, without any data
//   translate train --out runs/multi30k --data multi30k       on train.en, train.de, val.en, .. in a folder
//   translate train --out runs/multi30k --resume              goes on after Ctrl-C, or kill -9
//   translate translate runs/multi30k                         at the terminal, with alignments
//   translate eval runs/multi30k
//   translate align runs/multi30k --out pictures
//   translate experiment
//
// Where to begin reading: training/trainer.cpp (one update), training/trained_model.cpp (which parts of nn/ a model is
// made of), evaluation.cpp (search, and the attention to be measured), experiments/bottleneck.cpp (a comparison). The
// rest is what a program needs around these:
//
//   commands/     the subcommands and their options (options.h)
//   data/         sentences from files, or of an artificial language
//   training/     a run that can be stopped at any moment: checkpoints, curve, progress
//   report/       measures, and a report with tables and pictures
//   experiments/  what is compared
#include <csignal>

#include "examples/translate/commands/commands.h"

int main(int argc, char** argv) {
  // With SIGXFSZ ignored, write() fails with a message when a file outgrows its limit (ulimit -f); the signal would end
  // the program silently. That is for a program to decide: a library leaves signals alone.
  std::signal(SIGXFSZ, SIG_IGN);
  return translate::run_command_line(argc, argv);
}
