// Tensors by name, and files of them.
#pragma once

#include "nn/saving/checkpoint.h"
#include "nn/saving/safetensors.h"
#include "nn/saving/state_dict.h"
