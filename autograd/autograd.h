// Everything of the engine that a program uses.
#pragma once

#include "autograd/backward.h"
#include "autograd/dtype.h"
#include "autograd/error.h"
#include "autograd/factories.h"
#include "autograd/format.h"
#include "autograd/ops.h"
#include "autograd/packed_weights.h"
#include "autograd/random.h"
#include "autograd/shape.h"
#include "autograd/tensor.h"
#include "autograd/threads.h"
#include "autograd/updates.h"
