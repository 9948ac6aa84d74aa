// Recipes: what a paper set, by one name: `translate train --recipe lium-gru --data multi30k`. Each option that you
// give beside it keeps your value.
//
//   lium-gru            the attentive GRU of LIUM's wmt17-mmt (Caglayan et al. 2017; 39.00 BLEU on test2016, EN-DE),
//                       but without layer normalisation, and chosen by BLEU, not METEOR
//   tiny-transformer    the text-only Transformer of Revisit-MMT (Wu et al. 2021; 41.02), but with the norm before
//                       each sublayer, not after it
#pragma once

#include <string>
#include <vector>

#include "examples/translate/options.h"
#include "examples/translate/training/run_options.h"

namespace translate {

std::vector<std::string> names_of_recipes();

// Sets the options of the recipe, except those in options.given (none if it has no value), and adds their names to it.
// Throws bad-argument for an unknown name.
void apply_recipe(const std::string& name, RunOptions& options);

}  // namespace translate
