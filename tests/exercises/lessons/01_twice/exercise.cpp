//= title: Twice
//= part: A
//= answer: twice
//= seconds: 3
//= mistake squared
//=   question: Is that also right for a number other than 2?
//=   because: x * x is 2 x for 2 and 0 only.
//= mistake thrice
//=   question: How often is x in there?
//=   because: three times x is one x too many.

#include "given.h"

double twice(double x) {
  //[
  //- todo("twice: x times two");
  return x + x;
  //~ squared | return x * x;
  //~ thrice | return x + x + x;
  //]
}
