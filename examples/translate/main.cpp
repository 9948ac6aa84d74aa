// translate: trains translators, translates with them, measures them, and shows what they look at.
//
//   translate train --out runs/first                          on the artificial language, without any data
//   translate train --out runs/multi30k --data multi30k       on train.en, train.de, val.en, .. in a folder
//   translate train --out runs/multi30k --resume              goes on after Ctrl-C, or kill -9
//   translate translate runs/multi30k                         at the terminal, with alignments
//   translate eval runs/multi30k
//   translate align runs/multi30k --out pictures
//   translate experiment
#include <csignal>

#include "examples/translate/command_line.h"
#include "examples/translate/standard_streams.h"

int main(int argc, char** argv) {
  translate::open_standard_streams();
  // A file that would grow beyond what is allowed here (ulimit -f) is an error of write(), which says so, instead of
  // the end without a word. That is for a program to decide: a library leaves signals alone.
  std::signal(SIGXFSZ, SIG_IGN);
  return translate::run_command_line(argc, argv);
}
