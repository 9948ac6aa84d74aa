//= title: Kill the mutants
//= part: A
//= difficulty: 3
//= minutes: 20
//= after: 04
//= answer: design
//= no steps
//= mistake as_found
//=   question: Which of the choices are the same number twice, or 1, or the same thing everywhere?
//=   because: this is the experiment as it was found: square, one step, ones, all ids different, no padding. Every
//=     one of these choices lets some mutant live.
//= mistake batch_of_one
//=   question: Three mutants of the linear layer are alive. What is the mean of one row, and what is its sum?
//=   because: with one row, the mean over the batch, the first row and the sum are the same thing, and 1 / batch is
//=     1.
//= mistake square
//=   question: "mean over in: divided by the batch" is alive. What are `batch` and `in` in your experiment?
//=   because: if the two have the same length, dividing by the one is dividing by the other. With different sizes
//=     a mistake about axes shows in the numbers or in the shape.
//= mistake one_feature
//=   question: What is the softmax of a single number, and what is the mean of a single number?
//=   because: with in = 1 a softmax is 1 whatever goes in, and a mean divides by 1, so mistakes in either of them
//=     cannot show.
//= mistake one_step
//=   question: The mutants of the recurrent net are alive. In a sequence of one step, which step comes after it?
//=   because: with one step, nothing comes back from a later step, and a weight's gradient that is overwritten at
//=     every step is written only once.
//= mistake upstream_of_ones
//=   question: "tanh: dy forgotten" is alive. What is a number times your dy?
//=   because: with dy = 1 everywhere a forgotten factor dy loses nothing, swapped halves are equal, and the outputs of
//=     a softmax, which add up to 1, have no gradient.
//= mistake upstream_of_twos
//=   question: The mutants of softmax are alive, and "tanh: dy forgotten" is not. In what do the entries of your dy
//=     differ from each other?
//=   because: a dy that is the same number everywhere is a multiple of the plain sum. The outputs of a softmax sum
//=     to 1 whatever goes in, so there is nothing to measure; and halves with equal numbers can be swapped.
//= mistake upstream_of_zeros
//=   question: Which gradient does a loss send back that is 0 whatever y is?
//=   because: with an upstream of zeros every gradient is 0, a right one as well as a wrong one. Both agree with
//=     what is measured, and nothing is proved.
//= mistake ids_all_different
//=   question: "embedding: = where += belongs" is alive. How often does your experiment look up the same row?
//=   because: = overwrites the first contribution to a row when a second arrives. Where every row is looked up at
//=     most once, there is no second.
//= mistake no_padding
//=   question: "mean of tokens: padding counted" is alive. How many of the positions of your batch are padding?
//=   because: where every row has full length, the number of real tokens is the number of all tokens.
//= mistake exponent_zero
//=   question: The derivative of x^n proves nothing in your experiment. What is x^n for your n?
//=   because: x^0 is 1 everywhere and its derivative is 0, so anything with a factor n passes. One course tested
//=     its power function at exactly this exponent.
//= mistake exponent_one
//=   question: "x^n: factor n forgotten" is alive. What is a number times your n?
//=   because: at n = 1 the factor n is 1.
//= mistake exponent_fractional
//=   question: Why is the right derivative of x^n rejected? What is a negative number to the power of your n?
//=   because: a negative number to a power that is not whole is NaN, and a NaN is never right.
//= mistake positive_only
//=   question: "relu: mask forgotten" is alive. At which of your numbers does relu let nothing through?
//=   because: all numbers are positive, and there relu is x itself.
//= mistake zeros
//=   question: Right derivatives are rejected, or prove nothing. What is special about x = 0 for relu?
//=   because: at 0 relu has a kink: to the left its slope is 0, to the right 1, and the central difference gives
//=     1/2. And at 0, 1 - x^2 is 1 - tanh(x)^2, products are 0, and so are the powers.
//= mistake some_zeros
//=   premise: The right derivative of relu is rejected.
//=   question: Which of your numbers are exactly 0, and what is the slope there?
//=   because: at 0 relu has a kink: to the left its slope is 0, to the right 1, and the central difference gives
//=     1/2. One such number is enough.
//= mistake all_the_same
//=   question: "a * b: operands swapped" is alive. What are a and b in your experiment?
//=   because: every number that you make is the same, so a = b, and a derivative may use one in place of the other.
//= mistake saturated
//=   question: The mutants of the recurrent net are alive, though it has several steps. How large are your numbers,
//=     and how steep is tanh there?
//=   because: tanh(50) is 1 in every digit that a double has, and its slope there is 0. Nothing comes back through
//=     it, so a mutant that loses what comes back is not noticed.
//= equal mutant: experiment.in = 2;
//= equal mutant: experiment.out = 3;
//= equal mutant: experiment.out = 1;
//= equal mutant: experiment.steps = 6;
//= equal mutant: experiment.ids = {0, 0, 1, 3};
//= equal mutant: experiment.ids = {1, 1, 1, 3};
//= equal mutant: experiment.ids = {1, 0, 0, 3};
//= equal mutant: experiment.ids = {1, 0, 1, 4};
//= equal mutant: experiment.ids = {1, 0, 1, 2};
//= equal mutant: experiment.lengths = {4, 2, 4, 1};
//= equal mutant: experiment.lengths = {5, 3, 4, 1};
//= equal mutant: experiment.lengths = {5, 1, 4, 1};
//= equal mutant: experiment.lengths = {5, 2, 5, 1};
//= equal mutant: experiment.lengths = {5, 2, 3, 1};
//= equal mutant: experiment.lengths = {5, 2, 4, 2};
//=   because: the inputs are the learner's choice, and these, too, tell all the mutants from the right derivatives.

#include "given.h"

Experiment design() {
  Experiment experiment;
  //[
  //- // TODO: many experiments look like this. It runs, and most of the mutants survive it. Choose better.
  //- experiment.batch = 3;
  //- experiment.in = 3;
  //- experiment.out = 3;
  //- experiment.steps = 1;
  //- experiment.ids = {0, 1, 2};
  //- experiment.lengths = {1, 1, 1};
  //- experiment.exponent = 1.0;
  //- experiment.numbers = [](const Shape& shape) { return ones(shape, float64); };
  //- experiment.upstream = [](const Shape& shape) { return ones(shape, float64); };
  experiment.batch = 4;  // all sizes different, none of them 1
  //~ batch_of_one | experiment.batch = 1;
  experiment.in = 3;
  //~ batch_of_one | experiment.in = 6;
  //~ square | experiment.in = 4;
  //~ one_feature | experiment.in = 1;
  experiment.out = 2;
  experiment.steps = 5;
  //~ one_step | experiment.steps = 1;
  experiment.ids = {1, 0, 1, 3};  // one of them twice
  //~ ids_all_different | experiment.ids = {1, 0, 2, 3};
  experiment.lengths = {5, 2, 4, 1};  // some padding
  //~ batch_of_one | experiment.lengths = {2};
  //~ one_step | experiment.lengths = {1, 1, 1, 1};
  //~ no_padding | experiment.lengths = {5, 5, 5, 5};
  experiment.exponent = 3.0;  // not 0, where x^n has no derivative, nor 1, where n does not count as a factor
  //~ exponent_zero | experiment.exponent = 0.0;
  //~ exponent_one | experiment.exponent = 1.0;
  //~ exponent_fractional | experiment.exponent = 1.5;
  experiment.numbers = [](const Shape& shape) { return randn(shape, float64); };
  //~ positive_only | experiment.numbers = [](const Shape& shape) { return rand(shape, float64); };
  //~ zeros | experiment.numbers = [](const Shape& shape) { return zeros(shape, float64); };
  //~ some_zeros | experiment.numbers = [](const Shape& shape) {
  //~ some_zeros |   const Tensor x = randn(shape, float64);
  //~ some_zeros |   x.data_ptr<double>()[0] = 0.0;
  //~ some_zeros |   return x;
  //~ some_zeros | };
  //~ all_the_same | experiment.numbers = [](const Shape& shape) { return -0.5 * ones(shape, float64); };
  //~ saturated | experiment.numbers = [](const Shape& shape) { return 50.0 * randn(shape, float64); };
  experiment.upstream = [](const Shape& shape) { return randn(shape, float64); };
  //~ upstream_of_ones | experiment.upstream = [](const Shape& shape) { return ones(shape, float64); };
  //~ upstream_of_zeros | experiment.upstream = [](const Shape& shape) { return zeros(shape, float64); };
  //~ upstream_of_twos | experiment.upstream = [](const Shape& shape) { return 2.0 * ones(shape, float64); };
  //~ as_found 9 | experiment.batch = 3;
  //~ as_found | experiment.in = 3;
  //~ as_found | experiment.out = 3;
  //~ as_found | experiment.steps = 1;
  //~ as_found | experiment.ids = {0, 1, 2};
  //~ as_found | experiment.lengths = {1, 1, 1};
  //~ as_found | experiment.exponent = 1.0;
  //~ as_found | experiment.numbers = [](const Shape& shape) { return ones(shape, float64); };
  //~ as_found | experiment.upstream = [](const Shape& shape) { return ones(shape, float64); };
  //]
  return experiment;
}
