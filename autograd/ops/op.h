// The includes of a file with ops.
#pragma once

#include <fmt/core.h>

#include "autograd/kernels/kernels.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/record.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"
#include "autograd/tensor/kernel_arguments.h"
