// Optimisers, schedules of the learning rate, and clipping.
#pragma once

#include "nn/optim/adadelta.h"
#include "nn/optim/adam.h"
#include "nn/optim/clip_grad.h"
#include "nn/optim/lr_scheduler.h"
#include "nn/optim/rmsprop.h"
#include "nn/optim/sgd.h"
