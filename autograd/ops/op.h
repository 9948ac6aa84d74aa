// What every file of ops/ starts from.
#pragma once

#include "autograd/fast/door.h"
#include "autograd/kernels/kernels.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/record.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/kernel_arguments.h"
