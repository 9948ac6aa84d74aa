// Everything of nn that a program uses.
#pragma once

#include "nn/attention.h"
#include "nn/layers.h"
#include "nn/measures.h"
#include "nn/optim.h"
#include "nn/saving.h"
#include "nn/translation.h"
