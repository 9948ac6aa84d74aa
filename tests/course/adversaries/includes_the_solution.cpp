// says: there is no file '@EXERCISE@/exercise.cpp' to include
#include "@EXERCISE@/exercise.cpp"
