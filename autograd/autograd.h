// Everything of the engine that a program uses.
#pragma once

#include "autograd/composites/composites.h"
#include "autograd/composites/functional.h"
#include "autograd/ops/ops.h"
#include "autograd/ops/updates.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/dtype.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/shape.h"
#include "autograd/tensor/tensor.h"
#include "autograd/tensor/threads.h"
