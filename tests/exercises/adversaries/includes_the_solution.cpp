#include "@EXERCISE@/exercise.cpp"
