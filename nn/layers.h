// Modules, and the layers that models are made of.
#pragma once

#include "nn/layers/dropout.h"
#include "nn/layers/embedding.h"
#include "nn/layers/gru.h"
#include "nn/layers/init.h"
#include "nn/layers/layer_norm.h"
#include "nn/layers/linear.h"
#include "nn/layers/lstm.h"
#include "nn/layers/module.h"
#include "nn/layers/module_list.h"
#include "nn/layers/rnn.h"
#include "nn/layers/sequential.h"
