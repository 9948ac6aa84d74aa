// derivatives of joining and cutting
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.cat_backward = cat_backward;
  parts.stack_backward = stack_backward;
  parts.narrow_backward = narrow_backward;
}
