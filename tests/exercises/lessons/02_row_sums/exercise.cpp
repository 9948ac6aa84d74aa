//= title: Row sums
//= part: B
//= fast track
//= difficulty: 2
//= minutes: 20
//= after: 01
//= answer: row_sums
//= seconds: 3
//= mistake averaged
//=   question: Yours is 1/{columns} of it. What did you do with the {columns} columns?
//=   because: a mean divides the sum by {columns}.
//= mistake negated
//=   question: Where does the minus come from?
//=   because: nothing here is subtracted.

#include "given.h"

Tensor row_sums(const Tensor& x) {
  //[
  //- todo("row_sums: one number for each row");
  Tensor sums = x.sum({1});
  //~ averaged | Tensor sums = x.mean({1});
  probe("sums", sums);
  return sums;
  //~ negated | return -sums;
  //]
}
